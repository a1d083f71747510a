"""The kill table: `quizdrop run` ends with SIGKILL at a named point between a claim and the last
step that follows it, is started again, and everything stands there exactly once.
"""
