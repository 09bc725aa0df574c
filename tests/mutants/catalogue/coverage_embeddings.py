"""Mi et al. 2016, coverage embeddings."""

from ..mutant import mutants

TERMS = "tests/fairseq_plugins/terms"
FILES = f"{TERMS}/test_coverage_embeddings.py {TERMS}/test_coverage_objectives.py"

MUTANTS = (
    *mutants("coverage_embedding_gru", "fairseq_plugins/terms/coverage_embedding_gru.py",
        f"{FILES} -k 'papers or base'", {
        "coverage does not enter the tanh": ("return self.V_c(state.embeddings), ()", "return None, ()"),
        "attention does not wait for its word": ("state._replace(pending=step.weights)", "state"),
        "all attention so far waits for the word": ("pending=step.weights", "pending=state.pending + step.weights"),
        "the mask is forgotten": (", mask=memory.mask)", ")"),
        "it starts at 0 instead of K[x]": ("Moved(memory.initial,", "Moved(torch.zeros_like(memory.initial),"),
    }),
    *mutants("coverage_embedding_gru", "fairseq_plugins/terms/coverage_embedding_gru.py",
        f"{FILES} -k 'sum_of_its_sentences or loss_each'", {
        "the objective does not stop at a sentence's end": ('self.objective == "final"\n', "False\n"),
        "lambda is that of Sub": ("option(1e-4,", "option(1e-2,"),
    }),
    *mutants("coverage_embedding_sub", "fairseq_plugins/terms/coverage_embedding_sub.py",
        f"{FILES} -k 'papers or base or conserves or step_by_step'", {
        "coverage does not enter the tanh": ("return state.keys.to(q.dtype), ()", "return None, ()"),
        "the share is added": ("y.key.to(keys.dtype))", "-y.key.to(keys.dtype))"),
        "attention does not wait for its word": ("state._replace(pending=step.weights)", "state"),
        "the share is not projected": ("self.V_c(-taken)", "self.V_c(-taken * 2)"),
        "Eq. 6 takes the word before": ("y.embedding[:, 1:], alpha=-1)", "y.embedding[:, :-1], alpha=-1)"),
        "Eq. 7 takes the word before": ("y.embedding[:, 1:].unbind(1)", "y.embedding[:, :-1].unbind(1)"),
        "Eq. 7 forgets earlier words": ("c = torch.baddbmm(c, alpha", "c = torch.baddbmm(memory.initial, alpha"),
    }),
    *mutants("coverage_embedding_sub", "fairseq_plugins/terms/coverage_embedding_sub.py",
        f"{FILES} -k 'sum_of_its_sentences or loss_each'", {
        "the objective does not stop at a sentence's end":
            ("trace.weights.masked_fill(~target.mask.unsqueeze(-1), 0)", "trace.weights"),
        "lambda is that of the GRU": ("option(1e-2,", "option(1e-4,"),
    }),
    *mutants("covemb_gru_sub_obj covemb_gru_sub_supobj", "fairseq_plugins/terms/_coverage_embedding.py",
        f"{FILES} -k 'papers or sum_of_its_sentences or counts or loss_each or left'", {
        "lambda is lost": ("return self.coefficient * total(", "return total("),
        "the loss has the wrong sign": ("return self.coefficient * total(", "return -self.coefficient * total("),
        "padding of the source counts":
            ("counted = memory.mask.squeeze(-1).bool()", "counted = memory.mask.squeeze(-1).ge(0)"),
        "L1 and L2 exchanged": ("precise(c), order, -1)", "precise(c), 3 - order, -1)"),
        "no gradient where nothing is left": ("(length.square() + 1e-12).sqrt()", "length.square().sqrt()"),
    }),
    *mutants("covemb_gru_sub_supobj", "fairseq_plugins/terms/_coverage_embedding.py",
        f"{FILES} -k 'papers or counts or without_links'", {
        "counted one word late": ("steps.unsqueeze(-1) >= a.unsqueeze(1)", "steps.unsqueeze(-1) > a.unsqueeze(1)"),
        "counted from the first link on":
            ("a = (links * steps.unsqueeze(-1)).amax(1)", "a = links.argmax(1) + links.amax(1).long()"),
        "words without a link count from the start": ("words.sum(1, keepdim=True), a)", "torch.ones_like(a), a)"),
        "words behind the end count": (" & words.unsqueeze(-1)", ""),
    }),
    *mutants("covemb_gru_sub", "fairseq_plugins/models/covemb_gru_sub.py", f"{FILES} -k parameters_added", {
        "no Sub": ("terms = (CoverageEmbeddingGRU, CoverageEmbeddingSub)", "terms = (CoverageEmbeddingGRU,)"),
        "no GRU": ("terms = (CoverageEmbeddingGRU, CoverageEmbeddingSub)", "terms = (CoverageEmbeddingSub,)"),
    }),
    *mutants("covemb_gru_sub_obj", "fairseq_plugins/models/covemb_gru_sub_obj.py", f"{FILES} -k which_system", {
        "the objective is Eq. 7": ('"covemb_objective": "final"', '"covemb_objective": "supervised"'),
    }),
    *mutants("covemb_gru_sub_supobj", "fairseq_plugins/models/covemb_gru_sub_supobj.py", f"{FILES} -k which_system", {
        "there is no objective": ('"covemb_objective": "supervised"', '"covemb_objective": "none"'),
    }),
)  # fmt: skip
