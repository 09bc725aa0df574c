"""Systems in both directions: the reverse data, its training, and agreement, which joins both."""

import pytest

from stages.settings.languages import languages
from stages.settings.training import Decoding, Training
from stages.training.run import dev_bleu
from stages.translating.decoding import translate
from stages.translating.load import load_system
from tests.helpers import tiny

SETTINGS = tiny.params()["corpora"][tiny.CORPUS]


def test_the_reverse_direction_has_the_same_data_turned():
    folders = [tiny.study() / tiny.data(reverse) for reverse in (False, True)]
    ways = [f"{tiny.SOURCE}-{tiny.TARGET}", f"{tiny.TARGET}-{tiny.SOURCE}"]
    for language in (tiny.SOURCE, tiny.TARGET):
        for name in (f"dict.{language}.txt", "train.{}." + f"{language}.bin", "valid.{}." + f"{language}.bin"):
            one, other = ((folder / name.format(way)) for folder, way in zip(folders, ways, strict=True))
            assert one.read_bytes() == other.read_bytes()


@pytest.mark.training
def test_the_reverse_direction_trains():
    ahead, folder = tiny.trained("cohn_all"), tiny.trained("cohn_all", reverse=True)
    task = tiny.checkpoint(folder)["cfg"]["task"]
    assert (task["source_lang"], task["target_lang"]) == (tiny.TARGET, tiny.SOURCE)
    sides = [("encoder", "decoder"), ("decoder", "encoder")]
    weights, forward_weights = (tiny.checkpoint(one)["model"] for one in (folder, ahead))
    for side, other in sides:
        shapes = [weights[f"{side}.embed_tokens.weight"].shape, forward_weights[f"{other}.embed_tokens.weight"].shape]
        assert shapes[0] == shapes[1]
    assert weights["encoder.embed_tokens.weight"].shape != weights["decoder.embed_tokens.weight"].shape


@pytest.mark.training
def test_dev_bleu_of_the_reverse_direction_is_of_its_own_target():
    folder, study = tiny.trained("cohn_all", reverse=True), tiny.study()
    model = load_system(folder / "model.pt", study / tiny.data(reverse=True)).model
    settings = Training(**SETTINGS["training"])
    measure = dev_bleu(settings, study / tiny.TEXT, study / tiny.BPE, (tiny.TARGET, tiny.SOURCE))
    assert tiny.record(folder)["best_dev_bleu"] > 0
    assert measure(model) == pytest.approx(tiny.record(folder)["best_dev_bleu"])


def test_the_reverse_of_reverse_is_the_forward_direction(monkeypatch):
    monkeypatch.chdir(tiny.study())
    pair = (tiny.SOURCE, tiny.TARGET)
    assert languages(tiny.CORPUS, "reverse", reverse=True) == languages(tiny.CORPUS, "forward") == pair
    assert languages(tiny.CORPUS, "forward", reverse=True) == languages(tiny.CORPUS, "reverse") == pair[::-1]


@pytest.mark.training
def test_agreement_logs_what_its_loss_is_made_of():
    for kind in ("train", "valid"):
        (row,) = tiny.log(tiny.trained("cohn_agreement"), kind)
        parts = [float(row[name]) for name in ("nll_loss", "aux_reverse", "aux_agreement")]
        assert float(row["loss"]) == pytest.approx(sum(parts), abs=0.003)  # three decimals each
        assert parts[1] > 0 > parts[2]


@pytest.mark.training
def test_agreement_decodes_by_itself():
    found = load_system(tiny.trained("cohn_agreement") / "model.pt", tiny.study() / tiny.DATA)
    sentences, decoding = tiny.pieces("dev", tiny.SOURCE), Decoding(**SETTINGS["decoding"])
    before = translate(found, sentences, decoding, progress=None)
    for parameter in found.model.reverse.parameters():
        parameter.data.fill_(float("nan"))
    after = translate(found, sentences, decoding, progress=None)
    assert [(one.target, one.score) for one in before] == [(one.target, one.score) for one in after]
