import { expect, test } from 'vitest'
import { romanize } from './romaji.ts'

test.each([
  ['たなか はなこ', 'tanaka hanako'],
  ['さとう ゆうき', 'sato yuki'],
  ['おおの じゅんいちろう', 'ono junichiro'],
  ['いのうえ しょうへい', 'inoue shohei'],
  ['まつうら しんぺい', 'matsuura shinpei'],
  ['はっとり きっぺい', 'hattori kippei'],
  ['ほっち りょう', 'hotchi ryo'],
  ['わたなべ ちづる', 'watanabe chizuru'],
  ['きゃしゃ ぎょうだ', 'kyasha gyoda'],
  ['まりー・じぇーん', 'mari jen'],
  ['ゔぃくとりあ ふぁん', 'vikutoria fan'],
  ['せのお あい', 'senoo ai'],
  ['にった', 'nitta'],
  ['あっ', 'a'],
  ['Tanaka Hanako', 'tanaka hanako'],
  ['Zoë O’Brien-Müller', 'zoe obrienmuller'],
  ['Doudou', 'doudou'],
  ['ー', ''],
])('%s is %s', (reading, latin) => {
  expect(romanize(reading).join(' ')).toBe(latin)
})
