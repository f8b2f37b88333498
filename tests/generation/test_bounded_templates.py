"""Chat templates take so many turns, and make so much."""

import pytest

from irattn.core.errors import ModelError
from irattn.generation import bounded_templates
from support.chat_templates import HELLO, template_of

pytest.importorskip("safetensors", reason="the extra generate is not installed")
pytest.importorskip("tokenizers", reason="the extra generate is not installed")


@pytest.mark.parametrize(
    "endless",
    [
        "{% for a in range(9000) %}{% for b in range(9000) %}{% endfor %}{% endfor %}",
        "{% for a in 'abcd' * 9000 if a == 'b' %}{% for b in 'a' * 9999 %}{% endfor %}{% endfor %}",
        "{% macro two(n) %}{% if n %}{{ two(n - 1) }}{{ two(n - 1) }}{% endif %}{% endmacro %}"
        "{{ two(40) }}",
    ],
)
def test_a_template_has_so_many_turns(tmp_path, monkeypatch, endless):
    monkeypatch.setattr(bounded_templates, "MOST_STEPS", 20_000)
    with pytest.raises(
        ModelError, match="does not take the messages: takes more than 20,000 turns"
    ):
        template_of(tmp_path, endless).render(HELLO)


WIDE = [
    "{{ '%20000d' % 1 }}",
    "{{ '%(a)20000d' % {'a': 1} }}",
    "{{ '%*d' % (20000, 1) }}",
    "{{ '%.20000f' % 1.5 }}",
    "{{ '%20000s' | format('a') }}",
    "{{ ('%20000d'.encode() % 1) | length }}",
    "{{ '{:>20000}'.format(1) }}",
    "{{ '{0:{1}}'.format(1, 20000) }}",
    "{{ '{:{}}'.format('a', '>20000') }}",
    "{{ '{0:{1[w]}}'.format(1, {'w': 20000}) }}",
    "{{ '{0:{1.w}}'.format(1, namespace(w=20000)) }}",
    "{{ '{a:20000}'.format_map({'a': 1}) }}",
    "{{ ('{0}' * 900).format('x' * 900) }}",
    "{{ 'a'.ljust(20000) | length }}",
    "{{ 'a'.encode().zfill(20000) | length }}",
    "{{ 'a'.encode() * 20001 }}",
    "{{ '\t'.expandtabs(20000) | length }}",
    "{{ ('a' * 900).replace('a', 'b' * 900) | length }}",
    "{{ ('a' * 900) | replace('a', 'b' * 900) | length }}",
    "{{ ('a' * 900).translate({97: 'b' * 900}) | length }}",
    "{{ ('a' * 900).join(['b'] * 900) | length }}",
    "{{ (['a' * 900] * 900) | join('b') | length }}",
    "{{ ([{'a': 'b' * 900}] * 900) | join(attribute='a') | length }}",
    "{{ ([[1] * 900] * 900) | sum(start=[]) | length }}",
    "{{ 'a' | center(20000) | length }}",
    "{{ 'a\nb' | indent(20000) | length }}",
    "{{ ('a ' * 900) | wordwrap(1, wrapstring='b' * 900) | length }}",
    "{{ [1] | batch(20001, 0) | list | length }}",
    "{{ [1] | slice(20001) | list | length }}",
    "{{ (1).to_bytes(20001) | length }}",
    "{{ messages | tojson(indent=20000) }}",
    "{{ strftime_now('%20001d') }}",
]


@pytest.mark.parametrize(
    "huge",
    [
        "{{ ('x' * 10 ** 6) | length }}",
        "{% set all = 10 ** 6 * [1] %}",
        "{{ 3 ** 9000 ** 9 }}",
        "{% set ns = namespace(n=3) %}{% for a in range(40) %}{% set ns.n = ns.n * ns.n %}"
        "{% endfor %}",
        "{% set ns = namespace(n='x') %}{% for a in range(40) %}{% set ns.n = ns.n + ns.n %}"
        "{% endfor %}",
        "{% set ns = namespace(n='x') %}{% for a in range(40) %}{% set ns.n = ns.n ~ ns.n %}"
        "{% endfor %}",
        "{% set x %}{% for a in range(40) %}{{ 'x' * 900 }}{% endfor %}{% endset %}",
        "{% for a in range(40) %}{{ 'x' * 900 }}{% endfor %}",
        *WIDE,
    ],
)
def test_what_a_template_makes_is_so_large(tmp_path, monkeypatch, huge):
    monkeypatch.setattr(bounded_templates, "MOST_SIZE", 20_000)
    with pytest.raises(ModelError, match="makes a text, list or number of more than 20,000 places"):
        template_of(tmp_path, huge).render(HELLO)


def test_operators_that_are_bounded_are_what_they_were(tmp_path):
    source = (
        "{{ 'ab' * 2 }}{{ [1] + [2] }}{{ 2 ** 3 * 1.5 }}{{ 1 + 2 }}{{ 'a' ~ 1 ~ none ~ [2] }}"
        "{{ 2 ** -1 }}{{ 'a' * -1 }}{{ ('a' ~ 'b') | upper }}{% set x %}{{ 'c' ~ 'd' }}{% endset %}"
        "{{ x + 'e' }}{{ 'f' ~ nothing ~ messages[0].role }}"
    )
    found = template_of(tmp_path, source).render(HELLO)
    assert found == "abab[1, 2]12.03a1None[2]0.5ABcdefuser"


def test_formats_that_are_bounded_are_what_they_were(tmp_path):
    source = (
        "{{ '%5.1f|%s' % (2.25, 'a') }}{{ '%(a)03d%%' % {'a': 7} }}{{ '{:>4}{a}'.format(1, a=2) }}"
        "{{ '%s-%s' | format('b', 3) }}{{ 'c'.ljust(3, '.') }}{{ 'aa'.replace('a', 'bc', 1) }}"
        "{{ 'aa' | replace('a', 'x') }}{{ '/'.join(['d', 'e']) }}{{ messages | join('', 'role') }}"
        "{{ [1, 2] | sum }}{{ [{'a': [1]}] | sum('a', []) }}{{ ['f', 1] | join(', ') }}"
        "{{ 'g\nh' | indent(2) }}{{ [1] | tojson(indent=2) }}{{ 9 % 4 }}{{ 'i' | center(3) }}"
    )
    assert template_of(tmp_path, source).render(HELLO) == (
        "  2.2|a007%   12b-3c..bcaxxd/euser3[1]f, 1g\n  h[\n  1\n]1 i "
    )


def test_loops_that_are_counted_are_what_they_were(tmp_path):
    source = (
        "{% for a in [1, 2, 3] if a != 2 %}{{ loop.index }}/{{ loop.length }}{{ loop.last }} "
        "{% endfor %}{% for k, v in {'a': 1}.items() %}{{ k }}{{ v }}{% else %}none{% endfor %}"
        "{% for a in messages | reverse %}{{ a.role }}{{ loop.revindex }}{% endfor %}"
        "{% for a in nothing %}{{ a }}{% else %} none{% endfor %}"
        "{% for a in [1, [2, [3]]] recursive %}{{ loop(a) if a is iterable else a }}{% endfor %}"
    )
    found = template_of(tmp_path, source).render(HELLO)
    assert found == "1/2False 2/2True a1user1 none123"
