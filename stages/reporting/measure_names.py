"""How measures are called where text names them."""

NAMES = {
    "bleu": "BLEU",
    "bleu_cased": "BLEU cased",
    "bleu_v11b": "BLEU v11b",
    "bleu_unk_kept": "BLEU, unknown words kept",
    "bleu_no_unk": "BLEU, no unknown words",
    "bleu1": "1-gram BLEU",
    "chrf": "chrF",
    "ter": "TER",
    "ter_minus_bleu_half": "(TER−BLEU)/2",
    "rot": "ROT",
    "rot_NN": "ROT of nouns",
    "rot_NR": "ROT of proper nouns",
    "rot_DT": "ROT of determiners",
    "rot_CD": "ROT of numbers",
    "repeated_phrases": "repeated phrases",
    "aer": "AER",
    "saer": "SAER",
    "align_f1_t02": "F1 of links",
    "eos_aligned": "ends from ends, %",
    "perplexity": "dev perplexity",
}
"""By their name in metrics.json."""
