(:NAME "weather"
 :TRIGGERS ("weather" "rain" "sun")
 :INSTRUCTION "Say what to wear.")
