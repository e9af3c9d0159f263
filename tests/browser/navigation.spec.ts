import type { Page } from '@playwright/test'
import { expect, fetchJson, test } from './fixture.ts'

const desktop = { width: 1440, height: 900 }
const phone = { width: 390, height: 844 }
const words = {
  en: {
    main: 'Main',
    short: 'Main (bottom bar)',
    mainLinks: ['Home', 'Posts', 'Search Users'],
    places: ['Home', 'Chat', 'Members', 'Notifications', 'Me'],
    visitorPlaces: ['Home', 'Chat', 'Members', 'Log in'],
    admin: 'Admin',
    chat: 'Chat',
    chats: ['Private Chat', 'Group Chat'],
    filters: ['All', 'Private', 'Groups', 'Unread'],
    profile: 'Profile',
    visitor: ['Sign up', 'Log in'],
    member: [
      'Edit profile',
      'Bookmarks',
      'Waiting for you',
      'Events',
      'Circulars',
      'Albums',
      'Account',
      'Roll calls',
      'Log out',
    ],
    reports: 'Reports',
  },
  ja: {
    main: 'メインナビゲーション',
    short: '下部ナビゲーション',
    mainLinks: ['ホーム', 'フォロー中', 'メンバーを探す'],
    places: ['ホーム', 'チャット', 'メンバー', '通知', '自分'],
    visitorPlaces: ['ホーム', 'チャット', 'メンバー', 'ログイン'],
    admin: '管理',
    chat: 'チャット',
    chats: ['個別チャット', 'グループチャット'],
    filters: ['すべて', '個別', 'グループ', '未読'],
    profile: 'プロフィール',
    visitor: ['新規登録', 'ログイン'],
    member: [
      'プロフィール編集',
      'ブックマーク',
      'お返事のお願い',
      '予定',
      '回覧板',
      'アルバム',
      'アカウント',
      '安否確認',
      'ログアウト',
    ],
    reports: '問題の報告',
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

const copyright = `© ${new Date().getFullYear()} Engawa`
const home = ['/', '/followingpostlist', '/follow']

for (const lang of languages)
  test.describe(`in ${lang}`, () => {
    test.use({ locale: lang === 'ja' ? 'ja-JP' : 'en-GB' })
    const texts = words[lang]

    // spec: 1.12, 2.38, 2.39, 2.40, 2.41, 2.43, 2.45
    test('the bars of a visitor, with icons and words on a phone, and the footer with the product name and the year', async ({
      page,
    }) => {
      await page.setViewportSize(desktop)
      await page.goto('/')
      await expect(page.getByRole('contentinfo')).toContainText(copyright)
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

      await page.setViewportSize(phone)
      await expectPlaces(page, lang, leading(texts.visitorPlaces, ['/', '/chats', '/follow', '/login']))
    })

    // spec: 2.38, 2.39, 2.40, 2.41, 2.42, 2.44, 2.45, 6.3
    test('the bars of a member, of an admin, and after the end of the right; icons and words on a phone', async ({
      member,
      grantAdmin,
    }) => {
      const { page, id } = await member('Ann', { lang })
      await page.goto('/')
      await expectBarsOfMember(page, lang, id)
      await grantAdmin(id)
      await page.goto('/')
      await expectBarsOfMember(page, lang, id, { isAdmin: true })
      await fetchJson(page, 'DELETE', `/api/admin/users/${id}/admin`)
      await page.goto('/')
      await expect(bottom(page, lang)).toBeVisible()
      await expect(page.locator('a[href^="/admin"]')).toHaveCount(0)

      await bottom(page, lang).locator('a[href="/chats"]').click()
      await expect(page.locator('.tabs a')).toHaveText([...texts.filters])
      await page.locator('.tabs a').nth(2).click()
      await expect(page).toHaveURL('/my-groups')
    })
  })

async function expectBarsOfMember(page: Page, lang: Lang, id: number, { isAdmin = false } = {}) {
  const texts = words[lang]
  await page.setViewportSize(desktop)
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
  const [edit, bookmarks, toRead, events, circulars, albums, account, rollCalls, out] = texts.member
  const profile = isAdmin
    ? [
        edit,
        bookmarks,
        toRead,
        events,
        circulars,
        albums,
        account,
        rollCalls,
        texts.reports,
        texts.admin,
        out,
      ]
    : texts.member
  await expect(links(page)).toHaveText([...profile])
  expect(await entries(menu(page))).toEqual(
    leading(
      profile,
      isAdmin
        ? [
            '/edit',
            '/bookmarks',
            '/waiting',
            '/events',
            '/circulars',
            '/albums',
            '/account',
            '/roll-calls',
            '/moderation',
            '/admin/dashboard',
            '/logout',
          ]
        : [
            '/edit',
            '/bookmarks',
            '/waiting',
            '/events',
            '/circulars',
            '/albums',
            '/account',
            '/roll-calls',
            '/logout',
          ],
    ),
  )
  await expect(page.locator('.top-bar a[href^="/admin"]')).toHaveCount(isAdmin ? 2 : 0)
  await page.keyboard.press('Escape')

  await page.setViewportSize(phone)
  await expectPlaces(
    page,
    lang,
    leading(texts.places, ['/', '/chats', '/follow', '/notifications', `/people/${id}`]),
  )
  await page.locator('.top-bar button.menu-button').click()
  await expect(links(page)).toHaveText([...profile])
  await page.keyboard.press('Escape')
}

async function expectPlaces(page: Page, lang: Lang, expectedLinks: (string | undefined)[][]) {
  await expect(bar(page, lang)).toBeHidden()
  await expect(bottom(page, lang)).toBeVisible()
  expect(await entries(bottom(page, lang))).toEqual(expectedLinks)
  await expect(bottom(page, lang).locator('a > svg')).toHaveCount(expectedLinks.length)
  for (const width of [320, 390]) {
    await page.setViewportSize({ ...phone, width })
    const cut = await bottom(page, lang)
      .locator('a')
      .evaluateAll((links) => links.filter((link) => link.scrollWidth > link.clientWidth).length)
    expect(cut, `words that are cut at ${width} px`).toBe(0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(width)
  }
}

// spec: 1.12, 2.38, 2.39, 2.40, 2.42, 2.43, 2.44
test('every entry of the desktop bar leads to its page, all with the footer except chats', async ({
  admin,
}) => {
  const { page } = await admin('Ann')
  const footer = page.getByRole('contentinfo')
  await page.setViewportSize(desktop)
  for (const path of ['/nowhere', '/chat', '/post']) {
    await page.goto(path)
    await expect(footer).toContainText(copyright)
  }
  for (const [name, path, title] of [
    ['Home', '/', 'Post List'],
    ['Posts', '/followingpostlist', '投稿一覧'],
    ['Search Users', '/follow', 'Search Users'],
    ['Admin', '/admin/dashboard', 'Admin Dashboard'],
  ] as const) {
    await bar(page, 'en').getByRole('link', { name, exact: true }).click()
    await expect(page).toHaveURL(path)
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    await expect(footer).toContainText(copyright)
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
    if (opener === 'Profile') await expect(footer).toContainText(copyright)
    if (path === '/logout') await expect(page.getByText('Log out successful.')).toBeVisible()
  }
})

test('a link opens a page without a document, or a new tab with Ctrl or the middle button; pages with posts have a button to write one on phones', async ({
  member,
}) => {
  const { page, id } = await member('Ann')
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

  await page.setViewportSize(phone)
  const button = page.locator('.floating-action')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Users')
  await expect(button).toBeHidden()
  for (const [path, title] of [
    ['/', 'Post List'],
    [`/people/${id}`, 'Ann'],
  ] as const) {
    await bottom(page, 'en').locator(`a[href="${path}"]`).click()
    await expect(page.getByRole('heading', { level: 1 })).toContainText(title)
    // A profile is for reading: the button would cover it.
    await expect(button, path).toBeVisible({ visible: path === '/' })
  }
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
})
