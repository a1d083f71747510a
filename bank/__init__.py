"""The quiz core: questions, slots, drops, answers, streaks. No Discord, no clock, no network."""
