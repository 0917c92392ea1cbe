// A player for `salet arena`, protocol jsonl: guesses the first word that fits all feedback.
//   salet arena --player "node player.js" --protocol jsonl
const { readFileSync } = require("node:fs");
const { createInterface } = require("node:readline");

// Wordle's feedback: G for the right place, Y for another place, B for neither.
function feedback(guess, answer) {
  const letters = [...guess.toLowerCase()], hidden = [...answer.toLowerCase()];
  const left = hidden.filter((letter, i) => letter !== letters[i]);
  return letters.map((letter, i) => {
    if (letter === hidden[i]) return "G";
    const at = left.indexOf(letter);
    return at < 0 ? "B" : (left.splice(at, 1), "Y");
  }).join("");
}

let words, fitting, guess; // the words that fit, by board
const play = () => {
  [guess] = fitting.find((possible) => possible.length);
  console.log(JSON.stringify({ guess }));
};

createInterface({ input: process.stdin }).on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "game") {
    words = readFileSync(message.answers, "utf8").trim().split("\n");
  } else if (message.type === "start") {
    fitting = [words];
    play();
  } else if (message.type === "feedback" && !message.over) {
    fitting = message.pattern.split("/").map((marks, board) => { // several boards: BGYBB/-/GGGGG
      const before = /^[G-]+$/.test(marks) ? [] : fitting[board] ?? words;
      return before.filter((word) => feedback(guess, word) === marks);
    });
    play();
  } else if (message.type === "stop") {
    process.exit(0);
  }
});
