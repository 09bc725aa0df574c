"""The formulas of the systems, read from the code."""

import pytest

from fairseq_plugins import declarations
from stages.reporting.tables.formulas import formula, formulas
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
        rows = grid(formulas({"fed": "Fed", "not": "Not fed"}, models).parts[""])
        assert [cells["options"].text for cells in rows.values()] == ["–", "input feeding no"]

    def test_follows_params(self, tables: dict[str, ReportTable]):
        table = tables["formulas"].parts[""]
        assert table.names == tuple(TITLES)
        assert "V_h ~h_j^{i-1} + V_s ~s_j^{i-1}" in grid(table)["BA_NMT"]["formula"].text
