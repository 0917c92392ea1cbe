// A player for `salet arena`, protocol go-stop, one board: guesses the first word that fits.
//   g++ -O2 -o player player.cpp
//   salet arena --player "./player words.txt" --answers words.txt --guesses words.txt
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

// Wordle's feedback: G for the right place, Y for another place, W for neither.
string feedback(const string& guess, const string& answer) {
    string marks(guess.size(), 'W'), left;
    for (size_t i = 0; i < guess.size(); i++)
        if (guess[i] == answer[i]) marks[i] = 'G'; else left += answer[i];
    for (size_t i = 0; i < guess.size(); i++) {
        size_t at = marks[i] == 'G' ? string::npos : left.find(guess[i]);
        if (at != string::npos) marks[i] = 'Y', left.erase(at, 1);
    }
    return marks;
}

int main(int, char** arguments) {
    vector<string> words;
    ifstream file(arguments[1]);
    for (string word; file >> word;) words.push_back(word);
    for (string token; cin >> token && token != "Stop";) {  // the token was Go: a new game
        vector<string> possible = words;
        for (string marks; marks.find_first_not_of('G') != string::npos || marks.empty();) {
            string guess = possible.at(0);
            cout << guess << endl;
            if (!(cin >> marks)) return 0;
            vector<string> kept;
            for (const string& word : possible)
                if (feedback(guess, word) == marks) kept.push_back(word);
            possible = kept;
        }
    }
}
