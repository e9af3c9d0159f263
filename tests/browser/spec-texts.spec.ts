import type { Page } from '@playwright/test'
import { follow } from './chat-helpers.ts'
import { expect, PASSWORD, test } from './fixture.ts'
import {
  advanceUntilVisible,
  errorNotice,
  expectPulsing,
  expectSpecText,
  expectThenHome,
  holdRequests,
  languages,
  loadingTexts,
  localeOption,
  stopClock,
  successNotice,
} from './spec-helpers.ts'

/** Opens a page as a link in the app does, without loading a document. */
const openInApp = (page: Page, path: string) => page.evaluate((to) => history.pushState(null, '', to), path)

for (const lang of languages)
  test.describe(`in ${lang}`, () => {
    test.use(localeOption(lang))
    const en = lang === 'en'
    const expectTitle = async (page: Page, [english, japanese]: readonly [string, string]) => {
      const title = en ? english : japanese
      await expect(page.getByRole('heading', { level: 1 })).toHaveText(new RegExp(`^${title}`))
      // Allows an English name in parentheses after the title, which the English title of
      // /followingpostlist has.
      await expect(page).toHaveTitle(new RegExp(`^${title}( \\(Posts .*\\))? – `))
    }

    // spec: 2.1, 2.5, 2.6, 2.7, 2.10, 2.19, 2.20, 2.21, 2.24, 2.27, 2.28, 2.31, 2.33
    test('every page has its title, and every form its fields and its button', async ({
      admin,
      member,
      page,
    }) => {
      const register = en
        ? ['User name', 'Email address', 'Password', 'Register']
        : ['お名前', 'メールアドレス', 'パスワード', '登録する']
      await page.goto('/register')
      await expectTitle(page, ['Sign Up', '新規登録'])
      for (const label of register.slice(0, 3)) await expect(page.getByLabel(label)).toBeEditable()
      await expect(page.getByRole('button', { name: register[3]!, exact: true })).toBeEnabled()
      await page.goto('/login')
      await expectTitle(page, ['Log in', 'ログイン'])
      for (const label of register.slice(1, 3)) await expect(page.getByLabel(label)).toBeEditable()
      await expect(
        page.getByRole('main').getByRole('button', { name: en ? 'Log in' : 'ログイン', exact: true }),
      ).toBeEnabled()

      const [ann, ben] = [await admin('Ann', { lang }), await member('Ben', { lang })]
      await follow(ann, ben)
      await ann.page.goto('/')
      await expectTitle(ann.page, ['Post List', 'みんなの投稿'])
      for (const [path, ...title] of [
        ['/followingpostlist', '投稿一覧', '投稿一覧'],
        ['/postlist', 'Post List', 'みんなの投稿'],
        ['/users', 'Direct Message', '個別チャット'],
        ['/my-groups', 'Your Groups', 'グループ'],
        ['/admin/creategroup', 'Create Group', 'グループ作成'],
        ['/chat', 'Chat', '公開チャット'],
      ] as const)
        await test.step(path, async () => {
          await openInApp(ann.page, path)
          await expectTitle(ann.page, title)
        })

      await openInApp(ann.page, '/edit')
      await expectTitle(ann.page, ['Edit Profile', 'プロフィール編集'])
      await expect(ann.page.locator('.page-header .avatar')).toBeVisible()
      await expect(ann.page.locator('input[type=file]')).toHaveAttribute('accept', 'image/*')
      for (const label of en ? ['Name', 'Bio'] : ['名前', '自己紹介'])
        await expect(ann.page.getByLabel(label, { exact: true })).toBeEditable()
      for (const name of en ? ['Upload', 'Save'] : ['この画像にする', '保存'])
        await expect(ann.page.getByRole('button', { name, exact: true })).toBeEnabled()
      await openInApp(ann.page, '/post')
      await expectTitle(ann.page, ['New Post', '新しい投稿'])
      await expect(ann.page.getByLabel(en ? 'Text of the post' : '投稿の本文')).toBeEditable()
      await expect(
        ann.page.getByRole('button', { name: en ? 'Post' : '投稿する', exact: true }),
      ).toBeVisible()
      await openInApp(ann.page, '/follow')
      await expectTitle(ann.page, ['Search Users', 'メンバーを探す'])
      await expect(ann.page.getByPlaceholder(en ? 'Search by Username' : '名前で検索')).toBeEditable()
      await openInApp(ann.page, `/privatechat/${ben.id}`)
      await expect(ann.page.getByPlaceholder(en ? 'Enter your message' : 'メッセージを入力')).toBeEditable()
      await expect(ann.page.getByRole('button', { name: en ? 'Send' : '送信', exact: true })).toBeVisible()
    })

    // spec: 1.1, 2.11, 2.12, 2.13, 2.14, 2.46, 4.5, 8.1, 8.2, 9.2
    test('a log-in shows a message, and goes to the home page after a second; a log-out shows a message with a link to the top', async ({
      member,
      page,
    }) => {
      const { email } = await member('Ann', { lang })
      await page.clock.install()
      await page.goto('/login')
      const fields = page.getByRole('main').locator('input')
      await fields.first().fill(email)
      await fields.last().fill('wrong')
      await fields.last().press('Enter')
      await expectSpecText(errorNotice(page), lang, 'Login failed.', 'ログインできませんでした。')
      await expect(page).toHaveURL('/login')
      await fields.last().fill(PASSWORD)
      await stopClock(page)
      await fields.last().press('Enter')
      await advanceUntilVisible(page, successNotice(page))
      await expectSpecText(successNotice(page), lang, 'Log in successful.', 'ログインしました。')
      await expectThenHome(page, successNotice(page))

      const top = page.getByRole('main').getByRole('link', { name: en ? 'Top' : 'トップ', exact: true })
      const letGo = await holdRequests(page, '**/logout')
      await page.locator('.top-bar button.menu-button').click()
      await page.locator('.menu:popover-open a[href="/logout"]').click()
      await expectPulsing(page.getByText(loadingTexts[lang]))
      letGo()
      await expectSpecText(successNotice(page), lang, 'Log out successful.', 'ログアウトしました。')
      await expect(top).toHaveAttribute('href', '/')
      expect((await page.request.get('/api/user')).status()).toBe(401)
      await page.reload()
      await expectSpecText(errorNotice(page), lang, 'Logout failed.', 'ログアウトできませんでした。')
      await expect(top).toHaveAttribute('href', '/')
    })

    // spec: 1.1, 2.15, 2.16, 2.17, 2.18, 4.6, 4.7, 7.9, 8.3, 9.3
    test('a wrong link shows a message; a right one is verified with its whole query, and then the home page is shown; /dashboard shows whether the address is verified', async ({
      admin,
      page: visitor,
    }) => {
      const ann = await admin('Ann', { lang })
      const { page } = ann
      await page.goto('/dashboard')
      await expect(page.locator('.notice.warning')).toContainText(
        `${ann.email}${en ? ' is not verified yet.' : 'の確認が済んでいません。'}`,
      )
      await expect(errorNotice(page)).toHaveCount(0)

      await visitor.clock.install()
      await visitor.goto('/email/verify/1/abc?expires=1&signature=2')
      for (const later of [0, 5000]) {
        await visitor.clock.runFor(later)
        await expectSpecText(errorNotice(visitor), lang, 'Authentication failed.', '確認できませんでした。')
      }
      await expect(visitor).toHaveURL('/email/verify/1/abc?expires=1&signature=2')

      const { link } = await (await page.request.get(`/api/admin/users/${ann.id}/verification-link`)).json()
      const { pathname, search } = new URL(link)
      const letGo = await holdRequests(visitor, '**/api/email/verify/**')
      const asked = visitor.waitForRequest('**/api/email/verify/**')
      await visitor.goto(`${pathname}${search}&from=mail`)
      const address = new URL((await asked).url())
      expect(address.pathname).toBe(`/api${pathname}`)
      expect(Object.fromEntries(address.searchParams)).toEqual({
        ...Object.fromEntries(new URLSearchParams(search)),
        from: 'mail',
      })
      await expectPulsing(visitor.locator('.loading'))
      await expectSpecText(visitor.locator('.loading'), lang, 'Verifying...', '確認しています…')
      await stopClock(visitor)
      letGo()
      await expectThenHome(
        visitor,
        visitor.getByText(en ? 'Your email address has been verified.' : 'メールアドレスを確認しました。'),
      )

      const letUserGo = await holdRequests(page, '**/api/user')
      await page.clock.install()
      await page.goto('/dashboard')
      await expectSpecText(page.locator('.loading'), lang, 'Verifying...', '確認しています…')
      await stopClock(page)
      letUserGo()
      await expectThenHome(
        page,
        page.getByText(en ? 'Your email address is verified.' : 'メールアドレスは確認済みです。'),
      )
    })

    // spec: 6.1, 8.4, 8.5, 8.6, 8.8
    test('every page for members alerts a visitor: Please log in.', async ({ page }) => {
      await page.goto('/login')
      const alert = page.getByRole('alert').locator('.empty h2')
      for (const path of [
        '/followingpostlist',
        '/post',
        '/edit',
        '/follow',
        '/users',
        '/my-groups',
        '/privatechat/1',
        '/group-chat/1',
      ])
        await test.step(path, async () => {
          await expectTitle(page, ['Log in', 'ログイン'])
          await expect(alert).toHaveCount(0)
          await openInApp(page, path)
          await expectSpecText(alert, lang, 'Please log in.', 'ログインしてください。')
          await openInApp(page, '/login')
        })
    })
  })
