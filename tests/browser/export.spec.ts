import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser } from '@playwright/test'
import { readZip } from '#tests/zip.ts'
import {
  createPictureFile,
  expect,
  expectAccessible,
  expectNoHorizontalScroll,
  type MemberWithPage,
  sendApiRequest,
  test,
} from './fixture.ts'

const texts = {
  en: {
    make: 'Make an archive',
    download: 'Download',
    remove: 'Delete',
    removed: 'has been deleted',
    email: 'Email address',
    posts: 'Posts',
    start: 'Start page',
  },
  ja: {
    make: 'アーカイブを作成する',
    download: 'ダウンロード',
    remove: '削除する',
    removed: '削除しました',
    email: 'メールアドレス',
    posts: '投稿',
    start: '最初のページ',
  },
}

/** Writes a post with a picture, and a message from Ben. */
async function addContent({ page, id }: MemberWithPage, ben: MemberWithPage) {
  const cookies = await page.context().cookies()
  const token = decodeURIComponent(cookies.find(({ name }) => name === 'XSRF-TOKEN')!.value)
  const posted = await page.request.post('/api/posts', {
    headers: { 'x-xsrf-token': token },
    multipart: { text: '縁側でお茶 <b>& a view</b>', 'images[]': await createPictureFile('river') },
  })
  expect(posted.status()).toBe(201)
  await sendApiRequest(ben.page, 'POST', `/api/follow/${id}`)
  await sendApiRequest(ben.page, 'POST', '/api/send-private-message', {
    input: 'Hello from Ben',
    targetUserId: id,
  })
}

/** Makes and downloads the archive on the account page, and extracts it into a new folder. */
async function downloadArchive({ page }: MemberWithPage, lang: 'en' | 'ja') {
  const t = texts[lang]
  await page.goto('/account')
  await page.getByRole('button', { name: t.make }).click()
  const link = page.getByRole('link', { name: t.download, exact: true })
  await expect(link).toBeVisible()
  const [download] = await Promise.all([page.waitForEvent('download'), link.click()])
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

/** Opens the archive in a browser without network. Records all requests and errors. */
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

for (const lang of ['en', 'ja'] as const)
  test(`the archive reads well without Engawa and without network, in ${lang}`, async ({
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
    await page.getByRole('link', { name: t.posts, exact: true }).click()
    await expect(page.getByText('縁側でお茶 <b>& a view</b>')).toBeVisible()
    const width = () => page.locator('img').evaluate((image: HTMLImageElement) => image.naturalWidth)
    await expect.poll(width).toBeGreaterThan(100)
    const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(await background()).toBe('rgb(231, 235, 227)')
    await expectAccessible(page)
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await background()).toBe('rgb(16, 21, 18)')
    for (const size of [390, 1440]) {
      await page.setViewportSize({ width: size, height: 800 })
      await expectNoHorizontalScroll(page)
    }
    await page.getByRole('link', { name: t.start }).click()
    await page.getByRole('link', { name: /^Ben/ }).click()
    await expect(page.getByText('Hello from Ben')).toBeVisible()
    expect(requests.filter((url) => !url.startsWith('file://'))).toEqual([])
    expect(errors).toEqual([])
    await close()
    await rm(folder, { recursive: true })
  })
