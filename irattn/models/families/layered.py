"""Decoders that get layers, by their types: an object for each family."""

from irattn.models.families.afmoe import AFMOE
from irattn.models.families.apertus import APERTUS, APERTUS_1_5
from irattn.models.families.aria import ARIA
from irattn.models.families.axk1 import AXK_1
from irattn.models.families.bamba import BAMBA
from irattn.models.families.bloom import BLOOM
from irattn.models.families.cohere import COHERE, COHERE_2
from irattn.models.families.cohere_compass import COHERE_COMPASS
from irattn.models.families.cohere_moe import COHERE_2_MOE
from irattn.models.families.ctrl import CTRL, XGLM
from irattn.models.families.dbrx import DBRX
from irattn.models.families.deepseek import (
    DEEPSEEK_2,
    DEEPSEEK_3,
    DEEPSEEK_3_2,
    GLM_4_MOE_LITE,
    KIMI_2,
    MISTRAL_4,
    YOUTU,
)
from irattn.models.families.diffllama import DIFF_LLAMA
from irattn.models.families.dots import DOTS_1
from irattn.models.families.ernie import ERNIE_4_5, ERNIE_4_5_MOE
from irattn.models.families.exaone import EXAONE_3, EXAONE_4, EXAONE_MOE
from irattn.models.families.falcon import FALCON
from irattn.models.families.falcon_h1 import FALCON_H1
from irattn.models.families.family import ModelFamily
from irattn.models.families.flint import FLINT
from irattn.models.families.gemma import GEMMA, GEMMA_2, GEMMA_3, VAULT_GEMMA
from irattn.models.families.gemma3n import GEMMA_3N
from irattn.models.families.gemma4 import GEMMA_4, GEMMA_4_UNIFIED
from irattn.models.families.glm import (
    CHATGLM,
    GLM,
    GLM_4,
    GLM_4_MOE,
    GLM_4_V,
    GLM_4_V_MOE,
    SOLAR_OPEN,
)
from irattn.models.families.gpt2 import GPT_2, GPT_BIGCODE, GPT_NEO
from irattn.models.families.gpt_neox import GPT_NEOX, GPT_NEOX_JAPANESE
from irattn.models.families.gpt_oss import GPT_OSS
from irattn.models.families.gptj import CODEGEN, GPT_J
from irattn.models.families.granite import GRANITE, GRANITE_4, GRANITE_MOE, GRANITE_MOE_SHARED
from irattn.models.families.granite_swa import GRANITE_MOE_SWA, GRANITE_SWA
from irattn.models.families.helium import HELIUM
from irattn.models.families.hunyuan import HUNYUAN_1, HUNYUAN_1_MOE, HY_3
from irattn.models.families.hyperclovax import HYPERCLOVA_X
from irattn.models.families.jamba import JAMBA
from irattn.models.families.kimi import KIMI_LINEAR
from irattn.models.families.kolibri import KOLIBRI_1
from irattn.models.families.laguna import LAGUNA
from irattn.models.families.lara import LARA_MINI
from irattn.models.families.lfm2 import LFM_2, LFM_2_MOE
from irattn.models.families.lfm3 import LFM_3
from irattn.models.families.llama import ARCEE, CWM, EMU_3, INTERNLM_3, IQUEST_CODER, JAIS_2, LLAMA
from irattn.models.families.llama4 import LLAMA_4
from irattn.models.families.mamba1 import FALCON_MAMBA, MAMBA
from irattn.models.families.mamba2 import MAMBA_2
from irattn.models.families.mimo import MIMO_2_FLASH
from irattn.models.families.minicpm import MINICPM_3
from irattn.models.families.minimax import MINIMAX, MINIMAX_M2
from irattn.models.families.mistral import MINISTRAL, MINISTRAL_3, MISTRAL, MIXTRAL
from irattn.models.families.mpt import MPT
from irattn.models.families.nanochat import NANOCHAT
from irattn.models.families.nemotron import NEMOTRON
from irattn.models.families.nemotron_h import NEMOTRON_H
from irattn.models.families.olmo import FLEX_OLMO, OLMO, OLMO_2, OLMO_3, OLMO_HYBRID, OLMOE
from irattn.models.families.openai_gpt import OPENAI_GPT
from irattn.models.families.opt import BIOGPT, OPT
from irattn.models.families.persimmon import PERSIMMON
from irattn.models.families.phi import PHI, PHI_3, PHI_4_MULTIMODAL
from irattn.models.families.phimoe import PHI_MOE
from irattn.models.families.qwen import MELLUM, QWEN_2, QWEN_2_MOE, QWEN_3, QWEN_3_MOE
from irattn.models.families.qwen_hybrid import QWEN_3_5, QWEN_3_5_MOE, QWEN_3_NEXT
from irattn.models.families.qwen_vl import QWEN_2_VL, QWEN_3_VL, QWEN_3_VL_MOE
from irattn.models.families.sarvam import SARVAM_MLA, SARVAM_MOE
from irattn.models.families.seed_oss import SEED_OSS
from irattn.models.families.smollm3 import SMOLLM_3
from irattn.models.families.stablelm import STABLELM
from irattn.models.families.starcoder2 import STARCODER_2
from irattn.models.families.zamba2 import ZAMBA_2

LAYERED: dict[str, ModelFamily] = {
    "afmoe": AFMOE,
    "apertus": APERTUS,
    "apertus1p5_text": APERTUS_1_5,
    "arcee": ARCEE,
    "aria_text": ARIA,
    "axk1": AXK_1,
    "bamba": BAMBA,
    "bloom": BLOOM,
    "chatglm": CHATGLM,
    "cohere": COHERE,
    "cohere2": COHERE_2,
    "cohere2_moe": COHERE_2_MOE,
    "cohere_compass_text": COHERE_COMPASS,
    "dbrx": DBRX,
    "deepseek_v2": DEEPSEEK_2,
    "deepseek_v3": DEEPSEEK_3,
    "kimi_k2": KIMI_2,
    "kimi_linear": KIMI_LINEAR,
    # GLM 5 is DeepSeek 3.2's code, where all keys are seen.
    **dict.fromkeys(("deepseek_v32", "glm_moe_dsa"), DEEPSEEK_3_2),
    **dict.fromkeys(("falcon", "RefinedWeb", "RefinedWebModel"), FALCON),
    "diffllama": DIFF_LLAMA,
    "falcon_h1": FALCON_H1,
    "falcon_mamba": FALCON_MAMBA,
    "gemma": GEMMA,
    "gemma2": GEMMA_2,
    "gemma3_text": GEMMA_3,
    "gemma3n_text": GEMMA_3N,
    "gemma4_text": GEMMA_4,
    "gemma4_unified_text": GEMMA_4_UNIFIED,
    "glm": GLM,
    "glm4": GLM_4,
    "glm4_moe_lite": GLM_4_MOE_LITE,
    "glm4_moe": GLM_4_MOE,
    "glm4v_moe_text": GLM_4_V_MOE,
    "glm4v_text": GLM_4_V,
    "gptj": GPT_J,
    **dict.fromkeys(("gpt2", "gpt-sw3"), GPT_2),
    "gpt_oss": GPT_OSS,
    **dict.fromkeys(("granite", "granite_docling_text"), GRANITE),
    "granitemoe": GRANITE_MOE,
    "granitemoehybrid": GRANITE_4,
    "jamba": JAMBA,
    "lfm2": LFM_2,
    "lfm2_moe": LFM_2_MOE,
    "lfm3": LFM_3,
    "llama": LLAMA,
    "llama4_text": LLAMA_4,
    "mamba": MAMBA,
    "mamba2": MAMBA_2,
    "mellum": MELLUM,
    "mimo_v2_flash": MIMO_2_FLASH,
    "minicpm3": MINICPM_3,
    "minimax": MINIMAX,
    "minimax_m2": MINIMAX_M2,
    "ministral": MINISTRAL,
    "ministral3": MINISTRAL_3,
    "mistral": MISTRAL,
    "mistral4": MISTRAL_4,
    "mixtral": MIXTRAL,
    "mpt": MPT,
    "nanochat": NANOCHAT,
    "olmo2": OLMO_2,
    "olmo3": OLMO_3,
    "olmo_hybrid": OLMO_HYBRID,
    "phi3": PHI_3,
    "phi4_multimodal": PHI_4_MULTIMODAL,
    "phimoe": PHI_MOE,
    "qwen2": QWEN_2,
    "qwen2_moe": QWEN_2_MOE,
    **dict.fromkeys(("qwen2_vl", "qwen2_vl_text", "qwen2_5_vl", "qwen2_5_vl_text"), QWEN_2_VL),
    "qwen3": QWEN_3,
    "qwen3_5_moe_text": QWEN_3_5_MOE,
    "qwen3_5_text": QWEN_3_5,
    "qwen3_moe": QWEN_3_MOE,
    "qwen3_next": QWEN_3_NEXT,
    "qwen3_vl_moe_text": QWEN_3_VL_MOE,
    "qwen3_vl_text": QWEN_3_VL,
    "smollm3": SMOLLM_3,
    "youtu": YOUTU,
    "biogpt": BIOGPT,
    "codegen": CODEGEN,
    "ctrl": CTRL,
    "cwm": CWM,
    "dots1": DOTS_1,
    "emu3_text_model": EMU_3,
    "ernie4_5": ERNIE_4_5,
    "ernie4_5_moe": ERNIE_4_5_MOE,
    "exaone": EXAONE_3,
    "exaone4": EXAONE_4,
    "exaone_moe": EXAONE_MOE,
    "flex_olmo": FLEX_OLMO,
    "flint": FLINT,
    "gpt_bigcode": GPT_BIGCODE,
    "gpt_neo": GPT_NEO,
    "gpt_neox": GPT_NEOX,
    "gpt_neox_japanese": GPT_NEOX_JAPANESE,
    "granite_swa": GRANITE_SWA,
    "granitemoe_swa": GRANITE_MOE_SWA,
    "granitemoeshared": GRANITE_MOE_SHARED,
    "helium": HELIUM,
    "hunyuan_v1_dense": HUNYUAN_1,
    "hunyuan_v1_moe": HUNYUAN_1_MOE,
    "hy_v3": HY_3,
    "hyperclovax": HYPERCLOVA_X,
    "jais2": JAIS_2,
    "internlm3": INTERNLM_3,
    "iquestcoder": IQUEST_CODER,
    "kolibri1": KOLIBRI_1,
    "laguna": LAGUNA,
    "lara_mini": LARA_MINI,
    "nemotron": NEMOTRON,
    "nemotron_h": NEMOTRON_H,
    "olmo": OLMO,
    "olmoe": OLMOE,
    "openai-gpt": OPENAI_GPT,
    "opt": OPT,
    "persimmon": PERSIMMON,
    "phi": PHI,
    "sarvam_mla": SARVAM_MLA,
    "sarvam_moe": SARVAM_MOE,
    "seed_oss": SEED_OSS,
    "solar_open": SOLAR_OPEN,
    "stablelm": STABLELM,
    "starcoder2": STARCODER_2,
    "vaultgemma": VAULT_GEMMA,
    "xglm": XGLM,
    "zamba2": ZAMBA_2,
}
