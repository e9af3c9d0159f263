import { afterAll, afterEach, beforeAll, describe, test } from 'vitest'
import { ENGINE_PASSWORD, type EngineFixture, engineStarters, startEngine } from './fixture.ts'

// Walks through the main features in Japanese, in the deep stage only: end-to-end.test.ts walks in English.
for (const [name, start] of Object.entries(engineStarters))
  describe.skipIf(!start)(`${name} in Japanese`, { timeout: 120_000 }, () => {
    let fixture: EngineFixture
    beforeAll(async () => {
      fixture = await startEngine(start!)
    })
    afterAll(() => fixture?.stop())
    afterEach(() => fixture.closeWindows())

    test('a visitor registers, writes a post, and chats with a member', async () => {
      const [ben, tab] = [await fixture.member('健'), await fixture.visitor()]
      await tab.goto('/login')
      await tab.click({ css: 'button, label', text: '日本語', within: '.footer' })
      await tab.goto('/register')
      await tab.fill({ role: 'textbox', name: 'お名前' }, '花子')
      await tab.fill({ role: 'textbox', name: 'メールアドレス' }, '花子')
      await tab.fill({ css: 'input[type=password]' }, ENGINE_PASSWORD)
      await tab.click({ role: 'button', name: '登録する' })
      await tab.sees({ text: '正しいメールアドレスを入力してください。' })
      await tab.fill(
        { role: 'textbox', name: 'メールアドレス' },
        `hanako.${name.toLowerCase()}@engawa.example`,
      )
      await tab.click({ role: 'button', name: '登録する' })
      await tab.sees({ text: '登録しました。' })

      await tab.goto('/post')
      await tab.fill({ css: 'form textarea' }, '縁側で、お茶をどうぞ。')
      await tab.click({ role: 'button', name: '投稿する' })
      await tab.sees({ role: 'article', text: '縁側で、お茶をどうぞ。' })

      const hanako = (await tab.call('GET', '/api/user')) as { id: number }
      await ben.tab.call('POST', `/api/follow/${hanako.id}`)
      await tab.call('POST', `/api/follow/${ben.id}`)
      await ben.tab.goto(`/privatechat/${hanako.id}`)
      await tab.goto(`/privatechat/${ben.id}`)
      await tab.fill({ role: 'textbox', name: 'メッセージを入力' }, 'こんにちは')
      await tab.press('Enter')
      await ben.tab.sees({ css: '[role=log]', text: 'こんにちは' })
    })
  })
