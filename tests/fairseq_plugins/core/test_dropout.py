"""Where dropout applies: with everything dropped at one site, that site and nothing else is nothing."""

import pytest
import torch
from torch import Tensor, nn

from tests.helpers import support

SITES = ("embed_dropout", "annotation_dropout", "readout_dropout")
SYSTEMS = ("rnnsearch_star", "rnnsearch", "rnnencdec", "bridging_source", "bridging_target", "luong_global_general")
BATCH = support.random_batch([5, 3, 7], [4, 6, 2])


def training(arch: str, **rates: float) -> nn.Module:
    """In training mode; rates are 0 where not given."""
    sizes = support.TINY.model_copy(update=rates)
    return support.build(support.of(arch), sizes).model.train()


def encoded(model: nn.Module):
    return model.encoder(BATCH.source, BATCH.lengths)


def features(model: nn.Module) -> Tensor:
    """t_i, in front of the output matrix."""
    return model.decoder(BATCH.previous, encoded(model), features_only=True)[0]


@pytest.mark.parametrize("arch", SYSTEMS)
def test_nothing_is_dropped_by_default_of_the_tests_and_nothing_ever_in_evaluation(arch):
    assert features(training(arch)).ne(0).all(-1)[BATCH.real].any()
    everything = training(arch, **dict.fromkeys(SITES, 1.0)).eval()
    torch.testing.assert_close(features(everything), features(training(arch)), rtol=0, atol=0)


@pytest.mark.parametrize("arch", SYSTEMS)
def test_dropout_of_the_readout_drops_t_and_has_its_own_rate(arch):
    """t_i itself, whose bias and embedding would be left over if s_i were dropped instead."""
    assert features(training(arch, readout_dropout=1.0)).eq(0).all()
    assert features(training(arch, embed_dropout=1.0, annotation_dropout=1.0)).ne(0).any()
    half = features(training(arch, readout_dropout=0.5))
    whole = features(training(arch))
    kept = half.ne(0)
    assert 0.2 < kept.double().mean() < 0.8
    torch.testing.assert_close(half[kept], 2 * whole[kept])


@pytest.mark.parametrize("arch", SYSTEMS)
def test_dropout_of_embeddings_drops_those_of_the_source(arch):
    """As if E_x were 0: in the RNN, and in what the encoder hands on for bridging."""
    dropped = encoded(training(arch, embed_dropout=1.0)).source
    assert dropped.embeddings.eq(0).all()
    for site in SITES[1:]:
        assert encoded(training(arch, **{site: 1.0})).source.embeddings.ne(0).any()
    model = training(arch)
    with torch.no_grad():
        model.encoder.embed_tokens.weight.zero_()
    torch.testing.assert_close(dropped.annotations, encoded(model).source.annotations, rtol=0, atol=0)


@pytest.mark.parametrize("arch", SYSTEMS)
def test_dropout_of_embeddings_drops_those_of_the_target(arch):
    model = training(arch, embed_dropout=1.0)
    assert model.decoder.embed(BATCH.previous, first=True).eq(0).all()
    assert training(arch, readout_dropout=1.0).decoder.embed(BATCH.previous, first=True).ne(0).any()


@pytest.mark.parametrize("arch", SYSTEMS)
def test_dropout_of_annotations_drops_every_state_of_the_encoder(arch):
    assert encoded(training(arch, annotation_dropout=1.0)).source.annotations.eq(0).all()
    for site in (SITES[0], SITES[2]):
        assert encoded(training(arch, **{site: 1.0})).source.annotations.ne(0).any()


@pytest.mark.parametrize(("arch", "rows"), [("bridging_source", slice(-7, None))])
def test_source_bridging_appends_the_embeddings_that_the_encoder_read(arch, rows):
    """h_j = [hf_j ; hb_j ; E_x(x_j)], E_x after dropout."""
    for rate in (0.0, 0.5, 1.0):
        model = training(arch, embed_dropout=rate)
        source = encoded(model).source
        widened = model.decoder.attention.annotate(source).annotations[..., rows]
        torch.testing.assert_close(widened, source.embeddings, rtol=0, atol=0)
        assert widened.eq(0).all() == (rate == 1.0)


def test_target_bridging_reads_the_embedding_that_the_encoder_read():
    """E_x(x_t*) after dropout enters the decoder: dropped, the model is one whose E_x is 0 behind the encoder."""
    model = training("bridging_target")
    found = encoded(model)
    without = found._replace(source=found.source._replace(embeddings=torch.zeros_like(found.source.embeddings)))
    dropped = model.decoder(BATCH.previous, without, features_only=True)[0]
    assert (dropped - features(model)).abs().max() > 1e-3
