(:NAME "time"
 :TRIGGERS ("when" "today" "tomorrow")
 :INSTRUCTION "Answer with a date, and say in which time zone.")
