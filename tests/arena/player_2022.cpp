// The player of the piped connector of 2022, written for tests after its specification: opens with
// TAREI, then guesses the word of maximal entropy over all of cuvinte_wordle.txt; the first
// candidate wins ties. All arithmetic is in double.
#include <cmath>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int code(const string& guess, const string& secret) {
    int found = 0;
    for (size_t i = 0; i < guess.size(); i++)
        found = found * 3 + (guess[i] == secret[i] ? 0 : secret.find(guess[i]) != string::npos ? 1 : 2);
    return found;
}

double entropy(const string& guess, const vector<string>& candidates) {
    vector<int> counts(243);
    for (const string& secret : candidates) counts[code(guess, secret)]++;
    double sum = 0, all = candidates.size();
    for (int count : counts)
        if (count) sum += (log2(all) - log2((double)count)) * count;
    return sum / all;
}

int main() {
    vector<string> words;
    ifstream list("cuvinte_wordle.txt");
    for (string word; list >> word;) words.push_back(word);
    for (string token; cin >> token && token[0] != 'S';) {
        vector<string> candidates = words;
        string guess = "TAREI";
        while (true) {
            cout << guess << endl;
            string marks;
            if (!(cin >> marks)) return 2;
            if (marks == "GGGGG") break;
            int said = 0;
            for (char mark : marks) said = said * 3 + (mark == 'G' ? 0 : mark == 'Y' ? 1 : 2);
            vector<string> kept;
            for (const string& word : candidates)
                if (word != guess && code(guess, word) == said) kept.push_back(word);
            candidates = kept;
            guess = candidates[0];
            double best = entropy(guess, candidates);
            for (const string& word : words) {
                double value = entropy(word, candidates);
                if (value > best) best = value, guess = word;
            }
        }
    }
}
