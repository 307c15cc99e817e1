"""Runs a notebook whose cells are the programs that standard input lists as JSON, in Jupyter's kernel, and prints what each cell shows: a list of outputs a cell, as Jupyter stores them."""

import json
import sys

import nbformat
from nbclient import NotebookClient

notebook = nbformat.v4.new_notebook()
notebook.cells = [nbformat.v4.new_code_cell(program) for program in json.load(sys.stdin)]
NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
nbformat.validate(notebook)
print(json.dumps([cell.outputs for cell in notebook.cells]))
