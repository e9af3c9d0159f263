import { defineTexts, pluralSuffix } from '#web/i18n.ts'

/** Returns a number of seconds as English words: “30 seconds”, “5 minutes”, “1 hour”. */
function formatSpan(seconds: number) {
  const [size, word] = seconds < 60 ? [1, 'second'] : seconds < 3600 ? [60, 'minute'] : [3600, 'hour']
  const n = seconds / Number(size)
  return `${n} ${word}${pluralSuffix(n)}`
}
const formatSpanInJapanese = (seconds: number) =>
  seconds < 60 ? `${seconds}秒` : seconds < 3600 ? `${seconds / 60}分` : `${seconds / 3600}時間`

/** Formats the remaining seconds of a wait as minutes and seconds: “0:07”. */
const formatRest = (seconds: number) => `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`

export const slowModeText = defineTexts({
  en: {
    title: 'Slow mode',
    help: 'Everybody except admins and the owner of the group waits this long between two messages.',
    time: 'Time between two messages',
    save: 'Save',
    cancel: 'Cancel',
    choice: (seconds: number) => (seconds ? formatSpan(seconds) : 'Off'),
    note: (seconds: number) => `Slow mode: one message every ${formatSpan(seconds)}.`,
    noteForManager: (seconds: number) =>
      `Slow mode: members wait ${formatSpan(seconds)} between messages. You do not.`,
    rest: (seconds: number) => `You can send your next message in ${formatRest(seconds)}.`,
  },
  ja: {
    title: '低速モード',
    help: '管理者とグループの作成者以外は、次のメッセージを送るまでこの時間だけ待ちます。',
    time: 'メッセージの間隔',
    save: '保存',
    cancel: 'キャンセル',
    choice: (seconds: number) => (seconds ? formatSpanInJapanese(seconds) : 'オフ'),
    note: (seconds: number) => `低速モード：メッセージは${formatSpanInJapanese(seconds)}に1件まで送れます。`,
    noteForManager: (seconds: number) =>
      `低速モード：メンバーは${formatSpanInJapanese(seconds)}おきに送れます。あなたには適用されません。`,
    rest: (seconds: number) => `次のメッセージはあと${formatRest(seconds)}で送れます。`,
  },
})
