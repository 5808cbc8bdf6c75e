"""A page: in a file, in the browser, in a notebook."""
import html, tempfile, webbrowser

class Text(str):
    """A page, as HTML. A notebook shows it in a frame."""
    def __repr__(self):
        return f"<a page of {len(self)} characters: .save(path) writes it to a file, .browse() shows it>"

    def save(self, filepath):
        with open(filepath, "w", encoding="utf-8") as file:
            file.write(self)
        return self

    def browse(self):
        with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False, encoding="utf-8") as file:
            file.write(self)
        webbrowser.open("file://" + file.name)
        return self

    def _repr_html_(self):
        """A frame without the rights of the notebook. The base is about:srcdoc, or the page's links to its own sections would
        open the notebook in the frame; it stands before the page's policy, which allows none. Other links open a tab."""
        page = self.replace("<head>", '<head><base href="about:srcdoc">', 1)
        page = page.replace('<a href="https:', '<a target="_blank" href="https:')
        return (f'<iframe srcdoc="{html.escape(page)}" title="rtrack report" width="100%" height="800" style="border: 0" '
                'sandbox="allow-scripts allow-popups allow-popups-to-escape-sandbox" allow="clipboard-write"></iframe>')

def sentence(text):
    return f"<p>{html.escape(text)}</p>"
