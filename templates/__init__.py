"""The jinja2 skeletons of generated modules: headers, imports and tables; bodies are spliced in as text."""
