import { expect, test } from 'vitest'
import { markPhrases, PHRASE_END } from '#web/phrase-ends.ts'

const phrases = (text: string) => markPhrases(text).split(PHRASE_END)

test('a Japanese line breaks behind particles and signs, not inside of a word', () => {
  expect(phrases('このサーバーはメールを送らないので、本人はアドレスを確認できません。')).toEqual([
    'この',
    'サーバーは',
    'メールを',
    '送らないので、',
    '本人は',
    'アドレスを',
    '確認できません。',
  ])
  expect(phrases('まだ投稿がありません。「いいね」やお知らせは、ここに3件まで出ます（新しい順）。')).toEqual([
    'まだ',
    '投稿がありません。',
    '「いいね」やお知らせは、ここに',
    '3件まで',
    '出ます',
    '（新しい',
    '順）。',
  ])
  expect(phrases('お名前とご家族、お心当たり')).toEqual(['お名前と', 'ご家族、', 'お心当たり'])
  expect(phrases('読み取る 取り消しました 申し込み もう一度')).toHaveLength(1)
})

test('marking twice changes nothing, and other texts stay as they are', () => {
  const once = markPhrases('ページが見つかりません。')
  expect(markPhrases(once)).toBe(once)
  for (const text of ['Nothing here.', 'カタカナ', 'ひらがなだけです', '一二三'])
    expect(markPhrases(text)).toBe(text)
})
