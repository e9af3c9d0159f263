import { describe, expect, test } from 'vitest'
import { createTestApp } from '#tests/harness.ts'
import { chooseLanguage, validationMessage } from './i18n.ts'

describe('the language of an answer', () => {
  test.each<[chosen: string | undefined, accepted: string | undefined, lang: 'en' | 'ja']>([
    [undefined, undefined, 'en'],
    [undefined, '', 'en'],
    [undefined, 'ja', 'ja'],
    [undefined, 'JA-jp', 'ja'],
    [undefined, 'ja,en;q=0.9', 'ja'],
    [undefined, 'en-GB,en;q=0.9,ja;q=0.8', 'en'],
    [undefined, 'en;q=0.5, ja;q=0.8', 'ja'],
    [undefined, 'fr,de;q=0.9,ja;q=0.2', 'ja'],
    [undefined, 'ja;q=0', 'en'],
    [undefined, 'ja;q=0, en;q=0.1', 'en'],
    [undefined, 'fr', 'en'],
    [undefined, '*', 'en'],
    [undefined, ';;q=,,,;q=x', 'en'],
    ['ja', 'en', 'ja'],
    ['en', 'ja', 'en'],
    ['fr', 'ja', 'ja'],
    ['', 'ja', 'ja'],
  ])('with %j chosen and %j accepted is %s', (chosen, accepted, lang) =>
    expect(chooseLanguage(chosen, accepted)).toBe(lang),
  )

  test('is the language of the request, except for fixed messages that clients compare', async () => {
    const { visitor } = await createTestApp()
    const hanako = visitor({ 'accept-language': 'ja' })
    await hanako.get('/sanctum/csrf-cookie')
    const inJapanese = await hanako.post('/api/register', { name: '花子', email: 'hanako' })
    expect(inJapanese.body.errors.email).toEqual(['正しいメールアドレスを入力してください。'])
    expect(await hanako.get('/api/user')).toMatchObject({
      status: 401,
      body: { message: 'Unauthenticated.' },
    })
    hanako.jar.set('lang', 'en')
    const inEnglish = await hanako.post('/api/register', { name: 'Hanako', email: 'hanako' })
    expect(inEnglish.body.errors.email).toEqual(['The email field must be a valid email address.'])
  })
})

test('messages name the field and the limit, and an unknown code gets a general message', () => {
  expect(validationMessage('min:8', 'password')).toEqual({
    en: 'The password field must be at least 8 characters.',
    ja: '8文字以上で入力してください。',
  })
  expect(validationMessage('required', 'client_id').en).toBe('The client id field is required.')
  expect(validationMessage('Invalid type: Expected Array but received "x"', 'alt').en).toBe(
    'The alt field is not valid.',
  )
})
