import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from '@playwright/test'
import { readZip } from '#tests/zip.ts'
import {
  expect,
  expectAccessible,
  expectNoOverflow,
  fetchJson,
  PASSWORD,
  type PageMember,
  pictureFile,
  test,
} from './fixture.ts'

const texts = {
  en: {
    make: 'Make an archive',
    download: 'Download',
    question: 'Please confirm that it is you',
    password: 'Password',
    remove: 'Delete',
    removed: 'has been deleted',
    email: 'Email address',
    posts: 'Posts',
    start: 'Start page',
    postsTitle: 'Posts – Ann on Engawa',
  },
  ja: {
    make: 'データの控えを作成する',
    download: 'ダウンロード',
    question: '本人確認',
    password: 'パスワード',
    remove: '削除する',
    removed: '削除しました',
    email: 'メールアドレス',
    posts: '投稿',
    start: '最初のページ',
    postsTitle: '投稿 – Engawa：Annさんのデータ',
  },
}

/** Creates data to export: a post with a picture by the member, and a message from Ben. */
async function addContent({ page, id }: PageMember, ben: PageMember) {
  const cookies = await page.context().cookies()
  const token = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')!.value)
  const posted = await page.request.post('/api/posts', {
    headers: { 'x-xsrf-token': token },
    multipart: {
      text: '縁側でお茶 <b>& a view</b>',
      'images[]': await pictureFile('river'),
    },
  })
  expect(posted.status()).toBe(201)
  await fetchJson(ben.page, 'POST', `/api/follow/${id}`)
  await fetchJson(ben.page, 'POST', '/api/send-private-message', {
    input: 'Hello from Ben',
    targetUserId: id,
  })
}

/**
 * Makes an archive of the member's data on the account page, downloads it after the page has asked who the
 * member is, and removes it from the page. Extracts the download into a new folder, and returns the path of this folder.
 */
async function downloadArchive({ page }: PageMember, lang: 'en' | 'ja') {
  const t = texts[lang]
  await page.goto('/account')
  await page.getByRole('button', { name: t.make }).click()
  const button = page.getByRole('button', { name: t.download, exact: true })
  await expect(button).toBeVisible()
  // Fakes the status 423 for the first download. The server responds so when the last log-in was more than
  // ten minutes ago, to ask for the password.
  await page.route('**/api/account/export/archive', (route) => route.fulfill({ status: 423 }), { times: 1 })
  await button.click()
  const dialog = page.getByRole('dialog', { name: t.question })
  await dialog.getByLabel(t.password).fill(PASSWORD)
  const [download] = await Promise.all([page.waitForEvent('download'), page.keyboard.press('Enter')])
  await expect(page).toHaveURL('/account')
  expect(download.suggestedFilename()).toMatch(/^engawa-.+\.zip$/)
  const folder = await mkdtemp(join(tmpdir(), 'engawa-archive-'))
  for (const [name, bytes] of readZip(await readFile(await download.path()))) {
    await mkdir(dirname(join(folder, name)), { recursive: true })
    await writeFile(join(folder, name), bytes)
  }
  await page.getByRole('button', { name: t.remove, exact: true }).click()
  await expect(page.getByText(t.removed)).toBeVisible()
  await expect(page.getByRole('button', { name: t.make })).toBeVisible()
  return folder
}

/**
 * Opens the index page of an extracted archive in a browser context without network. Returns the page, the
 * URLs that it requests, and its console messages and failed requests.
 */
async function openOffline(browser: Browser, folder: string) {
  const context = await browser.newContext({ offline: true, javaScriptEnabled: true })
  const page = await context.newPage()
  const requests: string[] = []
  const errors: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  page.on('console', (message) => errors.push(message.text()))
  page.on('requestfailed', (request) => errors.push(request.url()))
  await page.goto(pathToFileURL(join(folder, 'index.html')).href)
  return { page, requests, errors, close: () => context.close() }
}

/**
 * Expects that a page has no accessibility violations in both themes, and that it is not wider than the
 * window at three window widths.
 */
async function expectReadable(page: Page) {
  for (const colorScheme of ['dark', 'light'] as const) {
    await page.emulateMedia({ colorScheme })
    await expectAccessible(page)
  }
  for (const width of [390, 820, 1440]) {
    await page.setViewportSize({ width, height: 800 })
    await expectNoOverflow(page)
  }
}

for (const lang of ['en', 'ja'] as const)
  test(`the archive is downloaded after a confirmation, and reads well without network, in ${lang}`, async ({
    browser,
    member,
  }) => {
    const t = texts[lang]
    const ann = await member('Ann', { lang })
    await addContent(ann, await member('Ben'))
    const folder = await downloadArchive(ann, lang)
    const { page, requests, errors, close } = await openOffline(browser, folder)
    await expect(page.locator('html')).toHaveAttribute('lang', lang)
    await expect(page.getByText(t.email)).toBeVisible()
    await expect(page.getByText(ann.email)).toBeVisible()
    await expect(page.getByText('Asia/Tokyo')).toBeVisible()
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await background()).toBe('rgb(231, 235, 227)')
    await expectReadable(page)
    await page.getByRole('link', { name: t.posts, exact: true }).press('Enter')
    await expect(page).toHaveTitle(t.postsTitle)
    await expect(page.getByText('縁側でお茶 <b>& a view</b>')).toBeVisible()
    const width = () => page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(width).toBeGreaterThan(100)
    await expectReadable(page)
    await page.locator('a:has(img)').press('Enter')
    await expect(page).toHaveURL(/\/pictures\/[\w-]+\.webp$/)
    await page.goBack()
    await page.getByRole('link', { name: t.start }).first().click()
    await page.getByRole('link', { name: /^Ben/ }).click()
    await expect(page.getByText('Hello from Ben')).toBeVisible()
    await expectReadable(page)
    expect(requests.filter((url) => !url.startsWith('file://'))).toEqual([])
    expect(errors).toEqual([])
    await close()
    await rm(folder, { recursive: true })
  })
