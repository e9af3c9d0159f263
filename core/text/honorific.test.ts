import { expect, test } from 'vitest'
import { san } from './honorific.ts'

test.each([
  '田中',
  '阿部',
  '服部',
  '渡部',
  '信長',
  '小山',
  'Ann',
  'ジャッキー・チャン',
  '花🌸',
  '三宅一生',
  '大和会',
])('%s gets さん', (name) => expect(san(name)).toBe(`${name}さん`))

test.each([
  '五郎さん',
  '山田様',
  '山田さま',
  '健太くん',
  '田中君',
  '花ちゃん',
  '花ちゃん🌸',
  'けんちゃん 👨‍👩‍👧！',
  '山田先生',
  '鈴木会長',
  '佐藤副会長',
  '三班班長',
  '総務部長',
  '木村監督',
  '林コーチ',
  '花（見本）',
  '花(見本)',
  '元メンバー',
  'ほかのメンバー',
  'あなた',
])('%s stays as it is', (name) => expect(san(name)).toBe(name))

test('a name without letters stays readable', () => expect(san('🌸')).toBe('🌸さん'))
