// SPDX-FileCopyrightText: The a11yd authors
// SPDX-License-Identifier: Apache-2.0

import A11yRules

/// The sentences about assistants and commands, in one language.
///
/// `{name}` is the assistant, its tool or its task, and `{time}` a length of time. What the
/// assistant itself says comes behind a colon.
struct HookWords: Equatable {
  private let permission: String
  private let question: String
  private let waiting: String
  private let done: String
  private let failed: String
  private let refused: String
  private let ended: String
  private let endedWith: String
  private let endedBySignal: String

  func asksPermission(_ app: String, _ what: String?) -> String { told(permission, app, what) }
  func asks(_ app: String, _ what: String?) -> String { told(question, app, what) }
  func waits(_ app: String) -> String { told(waiting, app, nil) }
  func done(_ name: String, _ words: String?) -> String { told(done, name, words) }
  func failed(_ name: String, _ reason: String?) -> String { told(failed, name, reason) }
  func refused(_ name: String, _ reason: String?) -> String { told(refused, name, reason) }

  /// The end of a command: with 0, with another code, or with that of a signal.
  func commandEnd(_ status: Int64, after time: String) -> String {
    let sentence = status == 0 ? ended : 129...192 ~= status ? endedBySignal : endedWith
    return sentence.replacing("{time}", with: time)
      .replacing("{code}", with: "\(sentence == endedBySignal ? status - 128 : status)")
  }

  private func told(_ sentence: String, _ name: String, _ words: String?) -> String {
    let told = sentence.replacing("{name}", with: name)
    return words.map { "\(told): \($0)" } ?? told
  }

  static func of(_ language: WordLanguage) -> HookWords {
    guard let words = all[language] else { preconditionFailure("no language is without words") }
    return words
  }
}

extension HookWords {
  private static let all: [WordLanguage: HookWords] = [
    .english: HookWords(
      permission: "{name} asks for your permission",
      question: "{name} asks",
      waiting: "{name} is waiting for you",
      done: "{name} is done",
      failed: "{name} has failed",
      refused: "{name} was refused",
      ended: "The command has ended, after {time}",
      endedWith: "The command has ended with {code}, after {time}",
      endedBySignal: "The command was ended by signal {code}, after {time}"
    ),
    .german: HookWords(
      permission: "{name} bittet um Erlaubnis",
      question: "{name} fragt",
      waiting: "{name} wartet auf dich",
      done: "{name} ist fertig",
      failed: "{name} ist gescheitert",
      refused: "{name} wurde abgelehnt",
      ended: "Der Befehl ist beendet, nach {time}",
      endedWith: "Der Befehl endete mit {code}, nach {time}",
      endedBySignal: "Der Befehl wurde durch Signal {code} beendet, nach {time}"
    ),
    .french: HookWords(
      permission: "{name} demande votre autorisation",
      question: "{name} demande",
      waiting: "{name} vous attend",
      done: "{name} a terminé",
      failed: "{name} a échoué",
      refused: "{name} : autorisation refusée",
      ended: "La commande est terminée, après {time}",
      endedWith: "La commande s’est terminée avec {code}, après {time}",
      endedBySignal: "La commande a été arrêtée par le signal {code}, après {time}"
    ),
    .spanish: HookWords(
      permission: "{name} pide su permiso",
      question: "{name} pregunta",
      waiting: "{name} le espera",
      done: "{name} ha terminado",
      failed: "{name} ha fallado",
      refused: "{name}: permiso denegado",
      ended: "La orden ha terminado, tras {time}",
      endedWith: "La orden ha terminado con {code}, tras {time}",
      endedBySignal: "La orden fue terminada por la señal {code}, tras {time}"
    ),
    .italian: HookWords(
      permission: "{name} chiede il permesso",
      question: "{name} chiede",
      waiting: "{name} ti aspetta",
      done: "{name} ha finito",
      failed: "{name} ha fallito",
      refused: "{name}: permesso negato",
      ended: "Il comando è terminato, dopo {time}",
      endedWith: "Il comando è terminato con {code}, dopo {time}",
      endedBySignal: "Il comando è stato terminato dal segnale {code}, dopo {time}"
    ),
    .portuguese: HookWords(
      permission: "{name} pede a sua permissão",
      question: "{name} pergunta",
      waiting: "{name} está à espera",
      done: "{name} terminou",
      failed: "{name} falhou",
      refused: "{name}: permissão recusada",
      ended: "O comando terminou, após {time}",
      endedWith: "O comando terminou com {code}, após {time}",
      endedBySignal: "O comando foi terminado pelo sinal {code}, após {time}"
    ),
    .dutch: HookWords(
      permission: "{name} vraagt om toestemming",
      question: "{name} vraagt",
      waiting: "{name} wacht op je",
      done: "{name} is klaar",
      failed: "{name} is mislukt",
      refused: "{name} is geweigerd",
      ended: "De opdracht is klaar, na {time}",
      endedWith: "De opdracht eindigde met {code}, na {time}",
      endedBySignal: "De opdracht is beëindigd door signaal {code}, na {time}"
    ),
    .polish: HookWords(
      permission: "{name} prosi o zgodę",
      question: "{name} pyta",
      waiting: "{name} czeka na ciebie",
      done: "{name}: gotowe",
      failed: "{name}: niepowodzenie",
      refused: "{name}: odmowa",
      ended: "Polecenie zakończone, po {time}",
      endedWith: "Polecenie zakończone kodem {code}, po {time}",
      endedBySignal: "Polecenie przerwane sygnałem {code}, po {time}"
    ),
    .russian: HookWords(
      permission: "{name} просит разрешения",
      question: "{name} спрашивает",
      waiting: "{name} ждёт вас",
      done: "{name}: готово",
      failed: "{name}: ошибка",
      refused: "{name}: отказано",
      ended: "Команда завершена, через {time}",
      endedWith: "Команда завершена с кодом {code}, через {time}",
      endedBySignal: "Команда прервана сигналом {code}, через {time}"
    ),
    .arabic: HookWords(
      permission: "{name} يطلب إذنك",
      question: "{name} يسأل",
      waiting: "{name} في انتظارك",
      done: "{name} انتهى",
      failed: "{name} فشل",
      refused: "{name} رُفض",
      ended: "انتهى الأمر بعد {time}",
      endedWith: "انتهى الأمر بالرمز {code} بعد {time}",
      endedBySignal: "أُنهي الأمر بالإشارة {code} بعد {time}"
    ),
    .swedish: HookWords(
      permission: "{name} ber om din tillåtelse",
      question: "{name} frågar",
      waiting: "{name} väntar på dig",
      done: "{name} är klar",
      failed: "{name} misslyckades",
      refused: "{name} nekades",
      ended: "Kommandot är klart, efter {time}",
      endedWith: "Kommandot slutade med {code}, efter {time}",
      endedBySignal: "Kommandot avbröts av signal {code}, efter {time}"
    ),
  ]
}
