(:NAME "notes"
 :TRIGGERS ("note" "remember")
 :INSTRUCTION "Repeat what is to be remembered, word for word.")
