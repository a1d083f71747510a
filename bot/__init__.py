"""The shell: Discord, the clock, the command line. It decides nothing about quizzes."""
