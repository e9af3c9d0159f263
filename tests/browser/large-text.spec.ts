import type { Page } from '@playwright/test'
import { setTextScale } from './all-pages-visit.ts'
import { expect, test } from './fixture.ts'

/** What reaches over the right edge of the window or of a card that cuts it, or over its neighbour in a row of a table. */
const tooWide = (page: Page) =>
  page.evaluate(() => {
    const shown = [...document.querySelectorAll<HTMLElement>('main *')].filter(
      (one) => one.checkVisibility() && !one.closest('.visually-hidden, thead'),
    )
    // A button of a menu hangs over on purpose, by a negative margin.
    const marginEdge = (one: HTMLElement) =>
      one.getBoundingClientRect().right + Number.parseFloat(getComputedStyle(one).marginRight)
    const name = (one: HTMLElement) => `${one.className || one.tagName}: ${one.textContent?.slice(0, 30)}`
    const outside = shown.filter(
      (one) =>
        one.getBoundingClientRect().right > innerWidth + 1 ||
        (one.matches('.table, .form-card, .card') && one.scrollWidth > one.clientWidth + 1) ||
        (one.matches('.button') && marginEdge(one) > one.parentElement!.getBoundingClientRect().right + 1),
    )
    const [picture, actions] = ['.profile-header > .avatar', '.profile-header .follow'].map((part) =>
      document.querySelector<HTMLElement>(part)?.getBoundingClientRect(),
    )
    if (picture && actions && picture.right > actions.left && picture.bottom > actions.top + 1)
      outside.push(document.querySelector<HTMLElement>('.profile-header .follow')!)
    const rows = [...document.querySelectorAll('.accounts tbody tr')]
    const covered = rows.flatMap((row) => {
      const [date, follow] = ['.joined-cell', '.follow-label'].map(
        (cell) => row.querySelector<HTMLElement>(cell)!,
      )
      const [a, b] = [date!.getBoundingClientRect(), follow!.getBoundingClientRect()]
      return a.bottom > b.top + 1 && a.top < b.bottom - 1 && a.right > b.left && a.left < b.right
        ? [date!]
        : []
    })
    return [...new Set([...outside, ...covered].map(name))]
  })

test('at 360 pixels and twice the text, nothing reaches over an edge, in Japanese either', async ({
  admin,
  member,
}) => {
  test.slow()
  const { page } = await admin('Large Texter')
  const { id } = await member('Besidepicture')
  await page.goto('/')
  await page.setViewportSize({ width: 360, height: 740 })
  const protocol = await page.context().newCDPSession(page)
  await page.addInitScript(() => {
    // As wide as letters of a Japanese font, which this computer may lack.
    const style = new CSSStyleSheet()
    style.replaceSync(':lang(ja) :is(p, span, label, button, a, h1, h2) { letter-spacing: 0.35em }')
    addEventListener('DOMContentLoaded', () => document.adoptedStyleSheets.push(style))
  })
  for (const lang of ['ja', 'en']) {
    await page.context().addCookies([{ name: 'lang', value: lang, url: page.url() }])
    for (const path of [
      '/',
      '/post',
      '/edit',
      '/account/notifications',
      '/admin/users',
      '/scheduled',
      `/people/${id}`,
    ]) {
      await setTextScale(protocol, 2)
      await page.goto(path)
      await setTextScale(protocol, 2)
      await expect(page.locator('h1')).toBeVisible()
      await expect
        .poll(() => page.evaluate(() => getComputedStyle(document.documentElement).fontSize))
        .toBe('32px')
      await expect.poll(() => tooWide(page), `${path} ${lang}`).toEqual([])
    }
  }
})

test('on a phone, the name of the community and the words beside a title are whole', async ({ admin }) => {
  const { page } = await admin('Wholenamer')
  await page.setViewportSize({ width: 360, height: 740 })
  const protocol = await page.context().newCDPSession(page)
  const cut = (name: string) =>
    page.evaluate((name) => {
      document.querySelector('.brand span')!.textContent = name
      return [...document.querySelectorAll('.brand span, .page-header .sub')].flatMap((one) =>
        one.scrollWidth > one.clientWidth + 1 || one.scrollHeight > one.clientHeight + 2
          ? one.textContent
          : [],
      )
    }, name)
  for (const times of [1, 2])
    for (const path of ['/scheduled', '/albums']) {
      await setTextScale(protocol, times)
      await page.goto(path)
      await setTextScale(protocol, times)
      await expect(page.locator('.page-header .sub')).toBeVisible()
      await expect.poll(() => cut('Hibarigaoka Neighbours'), `${path} ${times}`).toEqual([])
    }
})

test('on a small phone with the largest text, no word of a title is torn apart', async ({ member }) => {
  const { page } = await member('Wordkeeper')
  await page.context().addCookies([{ name: 'text', value: '150', url: page.url() }])
  await page.setViewportSize({ width: 320, height: 700 })
  const linesOf = (word: string) =>
    page.locator('h1').evaluate((title, word) => {
      const text = title.firstChild as Text
      const range = document.createRange()
      range.setStart(text, text.data.indexOf(word))
      range.setEnd(text, text.data.indexOf(word) + word.length)
      return range.getClientRects().length
    }, word)
  for (const [path, title] of [
    ['/notifications', 'Notifications'],
    ['/events', 'Events'],
  ] as const) {
    await page.goto(path)
    await expect(page.getByRole('heading', { name: title, level: 1 })).toBeVisible()
    await expect(page.locator('.header-aside > *').first()).toBeVisible()
    expect(await linesOf(title), path).toBe(1)
  }
  await page.goto('/')
  const steps = page.locator('.first-steps .row .icon')
  await expect(steps.first()).toBeVisible()
  for (const icon of await steps.all()) expect((await icon.boundingBox())!.x).toBeLessThan(60)
})

test('on a phone, each button of a new post has its word, and attendance is one of them', async ({
  admin,
}) => {
  const { page } = await admin('Worder')
  await page.setViewportSize({ width: 360, height: 740 })
  await page.goto('/post')
  for (const word of ['Add pictures', 'Add files or videos', 'Tell everybody', 'Ask who has read it', 'Poll'])
    await expect(page.locator('.tools').getByText(word, { exact: true })).toBeVisible()
  const attendance = page.getByRole('button', { name: 'Attendance' })
  const poll = page.locator('.tools').getByRole('button', { name: 'Poll' })
  await attendance.first().click()
  await expect(attendance.last()).toHaveAttribute('aria-pressed', 'true')
  await expect(poll).toHaveAttribute('aria-pressed', 'false')
  await expect(page.locator('.poll-editor').getByRole('button', { name: 'Attendance' })).toHaveAttribute(
    'aria-pressed',
    'true',
  )
  await poll.click()
  await expect(page.locator('.poll-editor').getByRole('textbox')).toHaveCount(2)
  await expect(poll).toHaveAttribute('aria-pressed', 'true')
  await poll.click()
  await expect(page.locator('.poll-editor')).toHaveCount(0)
})
