"""The formulas of the systems, read from the code."""

import pytest

from fairseq_plugins import declarations
from stages.reporting import recipe
from stages.reporting.tables.formulas import formula, formulas, says
from stages.reporting.tables.table import ReportTable
from stages.settings.variants import VariantModel
from tests.helpers.table_study import TITLES, grid


class TestFormulas:
    @pytest.mark.parametrize(
        ("model", "expected"),
        [
            (VariantModel(arch="rnnsearch"), "e_ij = v^T tanh(W_a s_{i-1} + U_a h_j)"),
            (
                VariantModel(arch="attnmt", terms=["source_history", "markov_bias"]),
                "e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a + V_h ~h_j^{i-1} + W_m xi(alpha_{i-1}, j))",
            ),
            (VariantModel(arch="attnmt", terms=["direct_bridging"]), "e_ij = v^T tanh(W_a s'_i + U_a h_j + b_a)"),
            (VariantModel(arch="transformer"), "–"),
        ],
    )
    def test_is_read_from_the_code(self, model: VariantModel, expected: str):
        assert formula(model) == expected

    def test_is_that_of_the_list_of_variants(self):
        for listed in declarations.systems():
            found = formula(VariantModel(arch=listed.name))
            assert found == listed.formula.replace(" + the terms named", "") != ""

    def test_options_of_a_system_stand_beside_it(self):
        luong = "luong_global_dot"
        models = {"fed": VariantModel(arch=luong), "not": VariantModel(arch=luong, input_feeding=False)}
        rows = grid(formulas({"fed": "Fed", "not": "Not fed"}, models, {}).parts[""])
        assert [cells["options"].text for cells in rows.values()] == ["–", "input feeding no"]

    def test_settings_are_written_as_they_are(self):
        assert recipe.text([0.9, 0.999, 0.125, 2.375, 1.0, 0.0, 1e-8]) == "0.90, 0.999, 0.125, 2.375, 1.00, 0.00, 1e-08"
        assert recipe.text(37.88990298938457) == "37.89"

    @pytest.mark.parametrize("arch", [one.name for one in declarations.systems() if one.name.startswith("luong")])
    def test_what_options_decide_of_the_recurrence_is_said_of_the_state_alone(self, arch: str):
        model = VariantModel(arch=arch, luong_base="rnnsearch_star")
        assert "LSTM" not in formula(model)
        assert says(model, "State").startswith("d_i, the top state of stacked LSTMs, which are fed with a~_{i-1}")

    def test_another_base_has_its_own_formula(self):
        model = VariantModel(arch="attnmt", base="rnnsearch", terms=["nn_coverage_gru"])
        assert formula(model) == "e_ij = v^T tanh(W_a s_{i-1} + U_a h_j + V_a C_{i-1,j})"
        on_rnnsearch = formula(VariantModel(arch="lvnmt", base="rnnsearch"))
        assert on_rnnsearch.startswith("e_ij = v^T tanh(W_a s_{i-1} + U_a h_j);  p(y_i | y_<i, x) = ")

    def test_says_what_each_system_is_and_where_it_is_from(self):
        models = {
            "rnnsearch_star": VariantModel(arch="rnnsearch_star"),
            "bridging_source": VariantModel(arch="bridging_source"),
            "bridging_direct": VariantModel(arch="bridging_direct"),
            "both": VariantModel(arch="attnmt", terms=["source_history", "coverage_loss"]),
            "smt": VariantModel(arch="smt"),
        }
        rows = grid(formulas({name: name.upper() for name in models}, models, {}).parts[""])
        assert [cells["name"].text for cells in rows.values()] == list(models)
        direct, both = rows["BRIDGING_DIRECT"], rows["BOTH"]
        assert direct["paper"].text.startswith("Kuang et al. 2018") and direct["written from"].text == "the paper"
        assert direct["loss"].text.startswith("NLL + sum_i") and rows["BRIDGING_SOURCE"]["loss"].text == "–"
        assert both["loss"].text == "lambda sum_i sum_j min(alpha_ij, c_ij)"
        assert both["state"].text == "~h (B, S, D), starting at 0"
        assert {rows["SMT"][heading].text for heading in ("formula", "paper", "loss", "confidence")} == {"–"}

    def test_follows_params(self, tables: dict[str, ReportTable]):
        table = tables["formulas"].parts[""]
        assert table.names == tuple(TITLES)
        assert "V_h ~h_j^{i-1} + V_s ~s_j^{i-1}" in grid(table)["BA_NMT"]["formula"].text
