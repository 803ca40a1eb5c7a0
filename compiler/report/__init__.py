"""How the problems of rule files are shown: for people, and for the tools that people have."""
