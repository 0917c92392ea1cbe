// The game of the piped connector of 2022, written for tests after its specification:
// `game lo hi id` reads cuvinte_wordle.txt, says Go, replies to words with G/Y/W, says Stop, and
// writes desfasurare<id>.txt. It neither checks the words nor limits their number.
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <string>
#include <vector>
using namespace std;

int main(int count, char** arguments) {
    if (count != 4) return 1;
    vector<string> words;
    ifstream list("cuvinte_wordle.txt");
    for (string word; list >> word;) words.push_back(word);
    ofstream log(string("desfasurare") + arguments[3] + ".txt");
    int total = 0;
    for (int place = atoi(arguments[1]); place < atoi(arguments[2]); place++) {
        const string secret = words[place];
        cout << "Go" << endl;
        log << secret << ", ";
        for (string guess; guess != secret; total++) {
            if (!(cin >> guess)) return 2;
            log << guess << " ";
            string marks;
            for (size_t i = 0; i < secret.size(); i++)
                marks += guess[i] == secret[i] ? 'G' : secret.find(guess[i]) != string::npos ? 'Y' : 'W';
            cout << marks << endl;
        }
        log << "\n";
    }
    log << total << "\n";
    cout << "Stop" << endl;
}
