import type { Page } from '@playwright/test'
import { expect, fetchApiJsonWithCookiesOfTestPage, type TestMemberWithBrowserPage, test } from './fixture.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const words = {
  en: {
    main: 'Main',
    short: 'Main (bottom bar)',
    mainLinks: ['Home', 'Posts', 'Search Users'],
    admin: 'Admin',
    chat: 'Chat',
    chats: ['Private Chat', 'Group Chat'],
    filters: ['All', 'Private', 'Groups', 'Unread'],
    profile: 'Profile',
    visitor: ['Sign up', 'Log in'],
    member: ['Edit profile', 'Bookmarks', 'Account', 'Log out'],
    reports: 'Reports',
  },
  ja: {
    main: 'メインナビゲーション',
    short: '下部ナビゲーション',
    mainLinks: ['ホーム', '投稿', 'ユーザー検索'],
    admin: '管理',
    chat: 'チャット',
    chats: ['個別チャット', 'グループチャット'],
    filters: ['すべて', '個別', 'グループ', '未読'],
    profile: 'プロフィール',
    visitor: ['新規登録', 'ログイン'],
    member: ['プロフィール編集', 'ブックマーク', 'アカウント', 'ログアウト'],
    reports: '報告',
  },
} as const
const languages = ['en', 'ja'] as const
type Lang = (typeof languages)[number]

const bar = (page: Page, lang: Lang) => page.getByRole('navigation', { name: words[lang].main, exact: true })
const bottom = (page: Page, lang: Lang) => page.getByRole('navigation', { name: words[lang].short })
const menu = (page: Page) => page.locator('.menu:popover-open')
/** Returns a locator of the links in the open menu, without the link to the member's own page at its top. */
const links = (page: Page) => menu(page).locator('a:not(.menu-profile)')

/** Returns the label and the href of each link in an element, without the link to the member's own page. */
const entries = (where: ReturnType<Page['locator']>) =>
  where
    .locator('a:not(.menu-profile)')
    .evaluateAll((links) =>
      links.map((link) => [link.getAttribute('aria-label') ?? link.textContent, link.getAttribute('href')]),
    )
const leading = (labels: readonly string[], to: readonly string[]) =>
  labels.map((label, at) => [label, to[at]])

const home = ['/', '/followingpostlist', '/follow']

for (const lang of languages)
  test.describe(`in ${lang}`, () => {
    test.use({ locale: lang === 'ja' ? 'ja-JP' : 'en-GB' })
    const texts = words[lang]

    // spec: 2.38, 2.39, 2.40, 2.41, 2.43
    test('the desktop bar of a visitor', async ({ page }) => {
      await page.setViewportSize(desktop)
      await page.goto('/')
      await expect(bar(page, lang)).toBeVisible()
      await expect(bottom(page, lang)).toBeHidden()
      await bar(page, lang).getByRole('button', { name: texts.profile }).click()
      await expect(menu(page).getByRole('link')).toHaveText([...texts.visitor])
      expect(await entries(menu(page))).toEqual(leading(texts.visitor, ['/register', '/login']))
      await page.keyboard.press('Escape')
      await bar(page, lang).getByRole('button', { name: texts.chat }).click()
      expect(await entries(menu(page))).toEqual(leading(texts.chats, ['/users', '/my-groups']))
      await page.keyboard.press('Escape')
      await expect(bar(page, lang).locator('> a')).toHaveText([...texts.mainLinks])
      await expect(page.locator('a[href^="/admin"]')).toHaveCount(0)
    })

    // spec: 2.38, 2.39, 2.40, 2.41, 2.42, 2.44, 6.3
    for (const who of ['member', 'admin'] as const)
      test(`the desktop bar of a ${who}`, async ({ member, admin }) => {
        const isAdmin = who === 'admin'
        // Registers another member before Ann, because the first account of a server becomes an admin.
        await member('First')
        const { page } = await (isAdmin ? admin : member)('Ann', { lang })
        await page.setViewportSize(desktop)
        await page.goto('/')
        await expect(bar(page, lang)).toBeVisible()
        await expect(bottom(page, lang)).toBeHidden()
        const mainLinks = isAdmin ? [...texts.mainLinks, texts.admin] : texts.mainLinks
        await expect(bar(page, lang).locator('> a')).toHaveText([...mainLinks])
        expect(await entries(bar(page, lang))).toEqual(
          leading(mainLinks, isAdmin ? [...home, '/admin/dashboard'] : home),
        )

        await bar(page, lang).getByRole('button', { name: texts.chat }).click()
        await expect(menu(page).getByRole('link')).toHaveText([...texts.chats])
        expect(await entries(menu(page))).toEqual(leading(texts.chats, ['/users', '/my-groups']))
        await page.keyboard.press('Escape')

        await page.locator('.top-bar').getByRole('button', { name: texts.profile }).click()
        const [edit, bookmarks, account, out] = texts.member
        const profile = isAdmin ? [edit, bookmarks, account, texts.reports, texts.admin, out] : texts.member
        await expect(links(page)).toHaveText([...profile])
        expect(await entries(menu(page))).toEqual(
          leading(
            profile,
            isAdmin
              ? ['/edit', '/bookmarks', '/account', '/moderation', '/admin/dashboard', '/logout']
              : ['/edit', '/bookmarks', '/account', '/logout'],
          ),
        )
        await expect(page.locator('.top-bar a[href^="/admin"]')).toHaveCount(isAdmin ? 2 : 0)
      })

    // spec: 2.45
    test('the navigation bar of a phone for a visitor has only icons', async ({ page }) => {
      await page.setViewportSize(phone)
      await page.goto('/')
      await expectIcons(
        page,
        lang,
        leading([...texts.mainLinks, texts.chat, texts.profile], [...home, '/chats', '/login']),
      )
    })

    // spec: 2.45
    for (const who of ['member', 'admin'] as const)
      test(`the navigation bar of a phone for a ${who} has only icons; the profile menu is at the top`, async ({
        member,
        admin,
      }) => {
        const isAdmin = who === 'admin'
        await member('First')
        const { page, id } = await (isAdmin ? admin : member)('Ann', { lang })
        await page.setViewportSize(phone)
        await page.goto('/')
        await expectIcons(
          page,
          lang,
          leading([...texts.mainLinks, texts.chat, texts.profile], [...home, '/chats', `/people/${id}`]),
        )
        await page.locator('.top-bar button.menu-button').click()
        const [edit, bookmarks, account, out] = texts.member
        await expect(links(page)).toHaveText(
          isAdmin ? [edit, bookmarks, account, texts.reports, texts.admin, out] : [...texts.member],
        )
        await page.keyboard.press('Escape')
        await bottom(page, lang).locator('a[href="/chats"]').click()
        await expect(page.locator('.tabs a')).toHaveText([...texts.filters])
        await page.locator('.tabs a').nth(2).click()
        await expect(page).toHaveURL('/my-groups')
      })

    // spec: 1.12
    test('the footer has the product name and the year', async ({ page, member }) => {
      const { page: members } = await member('Ann', { lang })
      const year = new Date().getFullYear()
      for (const [shown, paths] of [
        [page, ['/', '/register', '/login', '/chat', '/nowhere']],
        [members, ['/', '/followingpostlist', '/post', '/edit', '/follow']],
      ] as const)
        for (const path of paths) {
          await shown.goto(path)
          await expect(shown.getByRole('contentinfo')).toContainText(`© ${year} Engawa`)
        }
    })
  })

async function expectIcons(page: Page, lang: Lang, expectedLinks: (string | undefined)[][]) {
  await expect(bar(page, lang)).toBeHidden()
  await expect(bottom(page, lang)).toBeVisible()
  expect(await entries(bottom(page, lang))).toEqual(expectedLinks)
  await expect(bottom(page, lang).locator('a > svg')).toHaveCount(expectedLinks.length)
  await expect(bottom(page, lang)).toHaveText('')
}

// spec: 2.38, 2.39, 2.40, 2.42, 2.43, 2.44
test('every entry of the desktop bar leads to its page', async ({ admin }) => {
  const { page } = await admin('Ann')
  await page.setViewportSize(desktop)
  await page.goto('/login')
  for (const [name, path, title] of [
    ['Home', '/', 'Post List'],
    ['Posts', '/followingpostlist', '投稿一覧'],
    ['Search Users', '/follow', 'Search Users'],
    ['Admin', '/admin/dashboard', 'Admin Dashboard'],
  ] as const) {
    await bar(page, 'en').getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
  }
  for (const [opener, name, path, title] of [
    ['Chat', 'Private Chat', '/users', 'Direct Message'],
    ['Chat', 'Group Chat', '/my-groups', 'Your Groups'],
    ['Profile', 'Edit profile', '/edit', 'Edit Profile'],
    ['Profile', 'Log out', '/logout', 'Log out'],
    ['Profile', 'Sign up', '/register', 'Sign Up'],
    ['Profile', 'Log in', '/login', 'Log in'],
  ] as const) {
    await page.locator('.top-bar').getByRole('button', { name: opener }).click()
    await menu(page).getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(title)
    if (path === '/logout') await expect(page.getByText('Log out successful.')).toBeVisible()
  }
})

test('a link opens a page without a document, or a new tab with Ctrl or the middle button', async ({
  member,
}) => {
  const { page } = await member('Ann')
  await page.setViewportSize(desktop)
  await page.goto('/')
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  const search = bar(page, 'en').getByRole('link', { name: 'Search Users', exact: true })
  for (const options of [{ modifiers: ['ControlOrMeta'] }, { button: 'middle' }] as const) {
    const opened = page.context().waitForEvent('page')
    await search.click(options as Parameters<typeof search.click>[0])
    const tab = await opened
    await expect(tab).toHaveURL('/follow')
    await tab.close()
    await expect(page).toHaveURL('/')
  }
  await search.click()
  await expect(page).toHaveURL('/follow')
  await page.goBack()
  await expect(page).toHaveURL('/')
  await search.focus()
  await page.keyboard.press('Enter')
  await expect(page).toHaveURL('/follow')
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
})

// spec: 2.14, 2.32
test('Top leads to the post list, and the dashboard to group creation', async ({ admin }) => {
  const { page } = await admin('Ann')
  await page.goto('/admin/dashboard')
  await page.getByRole('main').getByRole('link', { name: 'Create Group' }).click()
  await expect(page).toHaveURL('/admin/creategroup')
  await page.goto('/logout')
  await page.getByRole('main').getByRole('link', { name: 'Top' }).click()
  await expect(page).toHaveURL('/')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Post List')
})

// spec: 2.24, 2.28, 6.5
test('chat lists have a link for each followed member and for each group of the member', async ({
  admin,
  member,
}) => {
  const [ann, ben, chi] = [await admin('Ann'), await member('Ben'), await member('Chiyo Kanda')]
  const follow = (whom: TestMemberWithBrowserPage) =>
    fetchApiJsonWithCookiesOfTestPage(ann.page, 'POST', `/api/follow/${whom.id}`)
  await follow(ben)
  const groups = []
  for (const name of ['Kiln', 'Choir'])
    groups.push((await fetchApiJsonWithCookiesOfTestPage(ann.page, 'POST', '/api/groups', { name })).group)
  const { page } = ann
  const leads = () =>
    page
      .locator('.conversation-list .rows a')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
  await page.goto('/users')
  await expect(page.locator('.conversation-list .rows a')).toHaveCount(1)
  expect(await leads()).toEqual([`/privatechat/${ben.id}`])
  await follow(chi)
  await page.reload()
  await expect(page.locator('.conversation-list .rows a')).toHaveCount(2)
  expect((await leads()).toSorted()).toEqual([ben, chi].map(({ id }) => `/privatechat/${id}`).toSorted())
  await page.getByRole('link', { name: 'Chiyo Kanda' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Chiyo Kanda')

  await page.goto('/my-groups')
  await expect(page.locator('.conversation-list .rows a')).toHaveCount(2)
  expect((await leads()).toSorted()).toEqual(groups.map(({ id }) => `/group-chat/${id}`).toSorted())
  await page.getByRole('link', { name: 'Kiln' }).click()
  await expect(page.getByRole('heading', { level: 1 })).toContainText('Kiln')
})

// spec: 2.41, 6.3
test('the link to the admin pages exists only with the right, and admin data is refused without it', async ({
  admin,
  member,
}) => {
  const [ann, ben] = [await admin('Ann'), await member('Ben')]
  const link = bar(ben.page, 'en').getByRole('link', { name: 'Admin' })
  await ben.page.setViewportSize(desktop)
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'PUT', `/api/admin/users/${ben.id}/admin`)
  await ben.page.goto('/')
  await expect(link).toHaveAttribute('href', '/admin/dashboard')
  await fetchApiJsonWithCookiesOfTestPage(ann.page, 'DELETE', `/api/admin/users/${ben.id}/admin`)
  await ben.page.goto('/')
  await expect(bar(ben.page, 'en').getByRole('link', { name: 'Home' })).toBeVisible()
  await expect(link).toHaveCount(0)
  expect((await ben.page.request.get('/api/admin/users')).status()).toBe(403)
})

test('on phones, pages with posts have a button to write one', async ({ member }) => {
  const { page, id } = await member('Ann')
  await page.setViewportSize(phone)
  const button = page.locator('.floating-action')
  for (const path of ['/', '/followingpostlist', `/people/${id}`]) {
    await page.goto(path)
    await expect(button, path).toBeVisible()
  }
  await page.goto('/follow')
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  await expect(button).toHaveCount(0)
})
