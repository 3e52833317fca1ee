/** The command that `init` writes for `up -- <command>`: a test that can fail. */
export const checkProgram = `// A test of the whole system, from outside. Any program can be one: it ends with 0, or it has failed.
// For each service, Shakedown puts its address into a variable: greeter -> SHAKEDOWN_GREETER_URL.
const greeter = process.env.SHAKEDOWN_GREETER_URL;
if (!greeter) throw new Error('start it through Shakedown: shakedown up -- node check.mjs');
const answer = await fetch(greeter + '/hello/Ada');
const text = await answer.text();

const expected = 'Hello Ada, you are guest number 2.'; // the captain is number 1
if (text !== expected) throw new Error('expected "' + expected + '", got "' + text + '"');
console.log(text);
`;
