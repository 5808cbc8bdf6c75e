"""TinyDataFrame and StatSpec, with the interface of resource_tracker.tiny_data_frame: docs/python.md."""
import csv, io, json, re, time
from typing import Callable, NamedTuple, Optional
from .helpers import warn

class StatSpec(NamedTuple):
    """A statistic of a column: agg(its cells), rounded, under the name agg_name or that of agg."""
    column: str
    agg: Callable
    agg_name: Optional[str] = None
    round: Optional[int] = None

def _cell(text):
    for kind in int, float:
        try:
            return kind(text)
        except ValueError:
            pass
    return text or None

def _numbers(body, width):
    """The columns of rows of numbers and empty cells: read as JSON, they take a third of the time. None: they are not that."""
    lines = body.rstrip("\n").split("\n")
    if "" in lines or {line.count(",") for line in lines} != {width - 1}: return None
    if body.encode().translate(None, b"0123456789.,+-eE\n"): return None
    cells = ",".join(lines).replace(",,", ",null,").replace(",,", ",null,")
    cells = "null" * cells.startswith(",") + cells + "null" * cells.endswith(",")
    try:
        cells = json.loads(f"[{cells}]")
    except ValueError:
        return None
    return [cells[at::width] for at in range(width)]

def columns_of(text):
    """The columns of a CSV file. ValueError: a row has not as many cells as the header, or a quote has no end."""
    head, _, body = text.partition("\n")
    names = next(csv.reader([head.rstrip("\r")]), [])
    columns = _numbers(body if '"' in body else body.replace("\r\n", "\n"), len(names))
    if columns: return dict(zip(names, columns))
    lines = csv.reader(io.StringIO(text, newline=""), strict=True)
    try:
        names, rows = next(lines, []), []
        for row in filter(None, lines):
            if len(row) != len(names):
                raise ValueError(f"line {lines.line_num} has {len(row)} cells, and the table {len(names)} columns")
            rows.append(row)
    except csv.Error as why:
        raise ValueError(f"line {lines.line_num}: {why}") from None
    return {**dict.fromkeys(names, ()), **{name: map(_cell, cells) for name, cells in zip(names, zip(*rows))}}

def _read(path):
    if path.startswith(("http://", "https://")):
        import urllib.request  # takes longer than all else that is imported
        with urllib.request.urlopen(path) as answer:
            return answer.read().decode("utf-8")
    with open(path, encoding="utf-8", newline="") as file:
        return file.read()

class TinyDataFrame(dict):
    """A dictionary of columns. table["name"] is a column, table[["a", "b"]] a table of two, table[0] a row, and
    table[1:3] a table of rows; a row is a dictionary. len() and iteration are of rows. A missing cell is None."""
    columns = property(lambda self: list(self.keys()))
    _data = property(lambda self: list(self.values()))

    def __init__(self, data=None, csv_file_path=None, retries=0, retry_delay=0.05):
        """retries: of reading a file, after retry_delay seconds each: one that is being written may be incomplete."""
        if (data is None) == (csv_file_path is None):
            raise TypeError("TinyDataFrame takes either data or csv_file_path")
        while data is None:
            try:
                data = columns_of(_read(str(csv_file_path)))
            except ValueError as why:
                if retries <= 0: raise ValueError(f"{csv_file_path}: {why}") from None
                retries -= 1
                time.sleep(retry_delay)
        if not isinstance(data, dict):
            data = list(data)
            names = dict.fromkeys(name for row in data for name in row)
            data = {name: [row.get(name) for row in data] for name in names}
        for name, column in data.items():
            self[name] = column

    def __len__(self): return len(next(iter(self.values()), ()))

    def __iter__(self): return map(self.__getitem__, range(len(self)))

    def __getitem__(self, key):
        if isinstance(key, str): return super().__getitem__(key)
        if isinstance(key, list): return TinyDataFrame({name: self[name] for name in key})
        if isinstance(key, slice): return TinyDataFrame({name: cells[key] for name, cells in self.items()})
        return {name: cells[key] for name, cells in self.items()}

    def __setitem__(self, key, value):
        if not isinstance(key, str):
            raise TypeError(f"the name of a column is a string, not {type(key).__name__}")
        value = list(value)
        if self.keys() - {key} and len(value) != len(self):
            raise ValueError(f"{key}: {len(value)} cells, but the table has {len(self)} rows")
        super().__setitem__(key, value)

    def head(self, n=5): return self[:n]

    def tail(self, n=5): return self[max(len(self) - n, 0):]

    def rename(self, columns):
        """Changes names of columns, {old: new}, in place."""
        for name in columns: self[name]  # KeyError: there is no such column
        renamed = {columns.get(name, name): cells for name, cells in self.items()}
        self.clear()
        self.update(renamed)
        return self

    def to_dict(self): return list(self)

    def to_csv(self, csv_file_path=None, quote_strings=True):
        """The table as CSV, which is also written to the file if one is given."""
        def field(cell):
            if cell is None: return ""
            quote = isinstance(cell, str) and (quote_strings or re.search('[,"\r\n]', cell))
            return '"' + cell.replace('"', '""') + '"' if quote else str(cell)

        text = "".join(",".join(map(field, row)) + "\r\n" for row in [self.columns, *zip(*self.values())])
        if csv_file_path:
            with open(csv_file_path, "w", encoding="utf-8", newline="") as file:
                file.write(text)
        return text

    def to_numpy(self):
        """{column: array}, of floats: NaN where nothing was measured. A column with text has its cells as they are."""
        import numpy
        def array(cells):
            try:
                return numpy.array(cells, float)
            except ValueError:
                return numpy.array(cells, object)

        return {name: array(cells) for name, cells in self.items()}

    def to_pandas(self):
        """A pandas.DataFrame of to_numpy(), by the time of the samples (UTC) if there is a column timestamp."""
        import pandas
        frame = pandas.DataFrame(self.to_numpy())
        if "timestamp" not in self: return frame
        times = pandas.to_datetime(frame.pop("timestamp"), unit="s", utc=True)
        return frame.set_index(times.dt.round("us"))  # a float has no more

    def stats(self, specs):
        """{column: {name: statistic}} as specs say, of the cells that are not None. One that fails is left out, with a warning."""
        result = {}
        for spec in specs:
            column, agg, name, digits = StatSpec(*spec)
            try:
                cells = [cell for cell in self[column] if cell is not None]
                value = agg(cells) if cells else None
                if digits is not None and value is not None: value = round(value, digits)
            except Exception as why:
                warn(f"{spec} is left out: {why!r}")
                continue
            result.setdefault(column, {})[name or agg.__name__] = value
        return result

    def _title(self): return f"TinyDataFrame with {len(self)} rows and {len(self.columns)} columns"

    def __repr__(self):
        return self._title() + (f". First row as a dict: {self[0]}" if len(self) else "")

    def __str__(self):
        """The first ten rows."""
        if not len(self): return self._title() + ":\nEmpty dataframe"
        columns = [[name, *map(str, cells[:10])] for name, cells in self.items()]
        widths = [max(map(len, column)) for column in columns]
        lines = [" | ".join(text.rjust(width) if isinstance(_cell(text), (int, float)) else text.ljust(width)
                            for text, width in zip(line, widths)) for line in zip(*columns)]
        lines.insert(1, "-+-".join("-" * width for width in widths))
        return "\n".join([self._title() + ":", *lines, *["..."] * (len(self) > 10)])
