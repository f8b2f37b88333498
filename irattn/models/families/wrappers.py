"""Multimodal models: a language model that is a part of the file, beside encoders of its own."""

from irattn.models.families.family import Wrapper

# Their code leaves the logits as they are, whatever that of the text alone does.
_COHERE = Wrapper(inner="cohere2", fixed={"logit_scale": 1.0})

WRAPPERS: dict[str, Wrapper] = {
    "apertus1p5": Wrapper(inner="apertus1p5_text"),
    "aria": Wrapper(
        inner="aria_text",
        harmless=frozenset(
            {"max_value_projector_patch_to_query_dict", "projector_patch_to_query_dict"}
        ),
    ),
    "audioflamingo3": Wrapper(inner="qwen2"),
    "aya_vision": _COHERE,
    "blip-2": Wrapper(inner="opt", harmless=frozenset({"num_query_tokens"})),
    "cohere2_vision": _COHERE,
    "cohere_compass": Wrapper(inner="cohere_compass_text"),
    "cosmos3_omni": Wrapper(inner="qwen3_vl_text"),
    "deepseek_vl": Wrapper(inner="llama"),
    "deepseek_vl_hybrid": Wrapper(inner="llama"),
    "emu3": Wrapper(inner="emu3_text_model"),
    "ernie4_5_vl_moe": Wrapper(inner="ernie4_5_vl_moe_text"),
    "exaone4_5": Wrapper(inner="exaone4"),
    "fast_vlm": Wrapper(inner="qwen2"),
    "fuyu": Wrapper(inner="persimmon"),
    "gemma3": Wrapper(inner="gemma3_text"),
    "gemma3n": Wrapper(inner="gemma3n_text"),
    "gemma4": Wrapper(inner="gemma4_text"),
    "gemma4_unified": Wrapper(inner="gemma4_unified_text"),
    "glm46v": Wrapper(inner="glm4v_text"),
    "glm4v": Wrapper(inner="glm4v_text"),
    "glm4v_moe": Wrapper(inner="glm4v_moe_text"),
    "glmasr": Wrapper(inner="llama"),
    "glmga": Wrapper(inner="glm4v_text"),
    "got_ocr2": Wrapper(inner="qwen2"),
    "granite_docling": Wrapper(inner="granite_docling_text"),
    # The window is that of the projector.
    "granite_speech": Wrapper(
        inner="granite", harmless=frozenset({"has_lora_adapter", "window_size"})
    ),
    "granite_speech_plus": Wrapper(
        inner="granite", harmless=frozenset({"has_lora_adapter", "window_size"})
    ),
    "hyperclovax_vision_v2": Wrapper(inner="hyperclovax"),
    "idefics2": Wrapper(inner="mistral"),
    "idefics3": Wrapper(inner="llama", harmless=frozenset({"scale_factor"})),
    "internvl": Wrapper(inner="qwen2"),
    # Written by code of its own, with the language model in `llm_config`.
    "internvl_chat": Wrapper(),
    "janus": Wrapper(inner="llama"),
    "kimi_k25": Wrapper(inner="deepseek_v3"),
    "lfm2_vl": Wrapper(inner="lfm2"),
    "lighton_ocr": Wrapper(inner="qwen3"),
    "llama4": Wrapper(inner="llama4_text"),
    "llava": Wrapper(inner="llama"),
    "llava_next": Wrapper(inner="llama"),
    "llava_next_video": Wrapper(inner="llama", harmless=frozenset({"spatial_pool_stride"})),
    "llava_onevision": Wrapper(inner="qwen2"),
    "mistral3": Wrapper(inner="mistral"),
    "modernvbert": Wrapper(inner="modernbert"),
    "moss_transcribe_diarize": Wrapper(inner="qwen3", harmless=frozenset({"audio_chunk_size"})),
    "multi_modality": Wrapper(inner="llama"),
    "muse_glimmer": Wrapper(inner="muse_glimmer_text"),
    "ovis2": Wrapper(inner="qwen2"),
    "perception_lm": Wrapper(inner="llama"),
    "qianfan_ocr": Wrapper(inner="qwen3"),
    "qwen2_5_vl": Wrapper(inner="qwen2_5_vl_text"),
    "qwen2_audio": Wrapper(inner="qwen2"),
    "qwen2_vl": Wrapper(inner="qwen2_vl_text"),
    "qwen3_5": Wrapper(inner="qwen3_5_text"),
    "qwen3_5_moe": Wrapper(inner="qwen3_5_moe_text"),
    "qwen3_asr": Wrapper(inner="qwen3"),
    "qwen3_vl": Wrapper(inner="qwen3_vl_text"),
    "qwen3_vl_moe": Wrapper(inner="qwen3_vl_moe_text"),
    "shieldgemma2": Wrapper(inner="gemma3_text"),
    "smolvlm": Wrapper(inner="llama", harmless=frozenset({"scale_factor"})),
    "vibevoice": Wrapper(inner="qwen2"),
    "vibevoice_asr": Wrapper(inner="qwen2", harmless=frozenset({"acoustic_tokenizer_chunk_size"})),
    "video_llama_3": Wrapper(inner="qwen2"),
    "video_llava": Wrapper(inner="llama"),
    "vipllava": Wrapper(inner="llama"),
    "voxtral": Wrapper(inner="llama"),
}
