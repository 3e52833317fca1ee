(:NAME "greeting"
 :TRIGGERS ("hello" "hi" "good")
 :INSTRUCTION "Greet back in one friendly sentence.")
