import type { Page } from '@playwright/test'
import { expect, fetchJson, pictureFile, test, writePost } from './fixture.ts'

test('the list loads more pages until its end, and the back button restores its position', async ({
  member,
}) => {
  const { page } = await member('Ann')
  for (let i = 1; i <= 60; i++) await writePost(page, `Post number ${i}.`)
  await page.goto('/')
  await expect(page.getByText('Post number 60.')).toBeVisible()
  const old = page.getByText('Post number 5.', { exact: true })
  await expect(async () => {
    await page.evaluate(() => scrollTo({ top: document.body.scrollHeight, behavior: 'instant' }))
    await expect(old).toBeAttached({ timeout: 300 })
  }).toPass()
  await old.scrollIntoViewIfNeeded()
  const before = await old.evaluate(readTopOnceStill)
  await page.evaluate(() => new Promise(requestAnimationFrame))
  // Dispatches the click event, because Playwright's click() could scroll the page to the link.
  await page.getByRole('link', { name: 'Search Users' }).first().dispatchEvent('click')
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Search Users')
  await page.goBack()
  await expect(old).toBeInViewport()
  await expect
    .poll(() => old.evaluate((element) => element.getBoundingClientRect().top))
    .toBeCloseTo(before, -1)
})

/** Runs in the page. Resolves to the position of an element once it has not moved for twenty frames. */
const readTopOnceStill = (element: Element) =>
  new Promise<number>((resolve) => {
    let [top, frames] = [Number.NaN, 0]
    const look = () => {
      const now = element.getBoundingClientRect().top
      frames = now === top ? frames + 1 : 0
      top = now
      if (frames < 20) requestAnimationFrame(look)
      else resolve(top)
    }
    look()
  })

test('pictures can be enlarged, by keyboard too, and the focus returns', async ({ member }) => {
  const { page } = await member('Ann')
  await page.goto('/post')
  await page
    .locator('input[type=file]')
    .setInputFiles([await pictureFile('left'), await pictureFile('right')])
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page).toHaveURL('/')
  const pane = page.locator('.picture').first()
  await pane.focus()
  await page.keyboard.press('Enter')
  const light = page.getByRole('dialog')
  await expect(light).toContainText('1 of 2')
  await page.keyboard.press('ArrowRight')
  await expect(light).toContainText('2 of 2')
  await page.keyboard.press('Escape')
  await expect(light).toBeHidden()
  await expect(pane).toBeFocused()
  await pane.click()
  await expect(light).toBeVisible()
  await page.goBack()
  await expect(light).toBeHidden()
  await expect(page).toHaveURL('/')
})

// spec: 7.1
test('a page is drawn from its initial data without a request', async ({ member }) => {
  const { page } = await member('Ann')
  await writePost(page, 'first paint')
  // Does not answer the WebSocket handshake. After a handshake, the page requests what it has missed, and
  // this test must not count these requests.
  await page.routeWebSocket(/\/app\//, () => {})
  // Makes the window narrower, because a wide window would also load the data of the chat sidebar.
  await page.setViewportSize({ width: 1000, height: 800 })
  const calls: string[] = []
  page.on('request', (request) => {
    if (new URL(request.url()).pathname.startsWith('/api/')) calls.push(request.url())
  })
  for (const path of ['/', '/follow', '/edit', '/followingpostlist']) {
    await page.goto(path)
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible()
  }
  expect(calls).toEqual([])
})

/**
 * From now on, leaves GET requests for posts without a response. Returns the list of the URLs of these
 * requests, to which later ones are added.
 */
async function holdPosts(page: Page) {
  const asked: string[] = []
  await page.route(/\/api\/(posts|users\/\d+\/posts)/, async (route) => {
    const request = route.request()
    if (request.method() !== 'GET') return route.continue()
    asked.push(request.url())
  })
  return asked
}

test('an event alone adds another member’s post to an open list, behind a pill, and nothing jumps', async ({
  member,
}) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  await writePost(ann.page, 'an old post')
  await ben.page.clock.install()
  // Resolves when the page has received the list of posts from the API. The page requests this list once more
  // as soon as it receives real-time events.
  const begun = ben.page.waitForResponse(/\/api\/posts$/)
  await ben.page.goto('/')
  await begun
  const asked = await holdPosts(ben.page)
  const { post } = await writePost(ann.page, 'a fresh post')
  const pill = ben.page.getByRole('button', { name: '1 new post' })
  await expect(pill).toBeVisible()
  await expect(ben.page.getByText('a fresh post')).toHaveCount(0)
  await pill.click()
  await expect(ben.page.getByText('a fresh post')).toBeInViewport()
  const shown = ben.page.locator(`[data-post="${post.id}"]`)
  await expect(shown).toContainText('a fresh post')
  await expect(shown.getByRole('link', { name: 'Ann', exact: true })).toBeVisible()
  // Moves the page's clock by 5 seconds. Within this time, the list would have sent a request if it needed
  // one.
  await ben.page.clock.fastForward(5000)
  await ben.page.evaluate(() => new Promise(requestAnimationFrame))
  expect(asked).toEqual([])
})

// spec: 1.3
test('the feed has only posts of followed members, also those of events; without any it says what to do', async ({
  member,
}) => {
  const [ann, ben, chi] = [await member('Ann'), await member('Ben'), await member('Chi')]
  await writePost(chi.page, 'not in the feed')
  await ben.page.goto('/followingpostlist')
  await expect(ben.page.getByRole('heading', { level: 1 })).toContainText('投稿一覧')
  await expect(ben.page.getByText('Your feed is empty')).toBeVisible()
  await fetchJson(ben.page, 'POST', `/api/follow/${ann.id}`)
  await writePost(ann.page, 'an old post')
  // Opens a member's page first. The data of this page contains the members whom Ben follows, and its list of
  // posts makes the page receive real-time events.
  const begun = ben.page.waitForResponse(/\/api\/.*posts$/)
  await ben.page.goto(`/people/${chi.id}`)
  await begun
  await ben.page.getByRole('link', { name: 'Posts', exact: true }).first().click()
  await expect(ben.page.getByText('an old post')).toBeVisible()
  await expect(ben.page.getByText('not in the feed')).toHaveCount(0)
  await holdPosts(ben.page)
  await writePost(chi.page, 'not for this list')
  await writePost(ann.page, 'a fresh post')
  await ben.page.getByRole('button', { name: '1 new post' }).click()
  await expect(ben.page.getByText('a fresh post')).toBeInViewport()
  await expect(ben.page.getByText('not for this list')).toHaveCount(0)
})

test('a list that is shown again sends a request only after a gap in the connection', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  await fetchJson(ben.page, 'POST', `/api/follow/${ann.id}`)
  const { post } = await writePost(ann.page, 'written before the gap')
  let breakConnection = () => {}
  await ben.page.routeWebSocket(/\/app\//, (socket) => {
    socket.connectToServer()
    // Closes the page's WebSocket with Pusher's code 4200, which means: connect again at once.
    breakConnection = () => void socket.close({ code: 4200 })
  })
  const asked: string[] = []
  ben.page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    // Leaves out requests for replies, which the page of a post always sends, and for the pinned posts, which
    // are a list of their own.
    if (request.method() === 'GET' && /^\/api\/posts(?!\/\d+\/replies$|\/pinned$)/.test(pathname))
      asked.push(pathname + search)
  })
  const open = async (name: string, title: string) => {
    await ben.page.getByRole('link', { name, exact: true }).first().click()
    await expect(ben.page.getByRole('heading', { level: 1 })).toContainText(title)
    await expect(ben.page.getByText('written before the gap')).toBeVisible()
  }
  await ben.page.goto('/')
  await expect.poll(() => asked).toEqual(['/api/posts'])
  await open('Posts', '投稿一覧')
  await expect.poll(() => asked.slice(1)).toEqual(['/api/posts/following'])

  // Stops the page's timers, so that delayed requests are sent only when the test calls `runFor`.
  await ben.page.clock.install()
  for (let visit = 0; visit < 2; visit++) {
    await open('Home', 'Post List')
    await open('Posts', '投稿一覧')
  }
  await ben.page.locator(`[data-post="${post.id}"] .post-time a`).click()
  await expect(ben.page.getByRole('heading', { level: 1 })).toHaveText('Post by Ann')
  // Expects that the list adds a post whose event arrived while another page was shown.
  const { post: fresh } = await writePost(ann.page, 'a fresh post')
  await ben.page.clock.runFor(5000)
  await open('Home', 'Post List')
  await ben.page.getByRole('button', { name: '1 new post' }).click()
  await expect(ben.page.locator(`[data-post="${fresh.id}"]`)).toBeVisible()
  await ben.page.clock.runFor(5000)
  expect(asked).toHaveLength(2)

  const subscribed = ben.page.waitForRequest((request) => request.url().endsWith('/api/posts'))
  breakConnection()
  const asks = setInterval(() => void ben.page.clock.runFor(1000).catch(() => {}), 50)
  await subscribed
  clearInterval(asks)
  expect(asked.slice(2)).toEqual(['/api/posts'])
  await open('Posts', '投稿一覧')
  await ben.page.clock.runFor(5000)
  await expect.poll(() => asked.slice(3)).toEqual(['/api/posts/following'])
})

test('a like, a deletion and an own post appear in every view of a window, even when the server does not answer', async ({
  member,
}) => {
  const { page, id } = await member('Ann')
  const { post } = await writePost(page, 'in three views')
  await writePost(page, 'mine from before')
  await page.goto(`/people/${id}`)
  const card = page.locator(`[data-post="${post.id}"]`)
  const like = card.getByRole('button', { name: /^Like/ })
  const title = page.getByRole('heading', { level: 1 })
  await expect(title).toHaveText('Ann')
  await expect(card).toBeVisible()
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(title).toHaveText('Post List')
  await card.locator('.post-time a').click()
  await expect(title).toHaveText('Post by Ann')
  await expect(card).toBeVisible()
  await holdPosts(page)
  await like.click()
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  for (const name of ['Post List', 'Ann']) {
    await page.goBack()
    await expect(title).toHaveText(name)
    await expect(like).toHaveAttribute('aria-pressed', 'true')
    await expect(card.getByRole('button', { name: '1 like' })).toHaveText(/^1/)
  }
  await page.goForward()
  await page.goForward()
  await card.getByRole('button', { name: /^More about/ }).click()
  await page.getByRole('button', { name: 'Delete post' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete post' }).click()
  await expect(page.getByText('This post is not available.')).toBeVisible()
  for (const name of ['Post List', 'Ann']) {
    await page.goBack()
    await expect(title).toHaveText(name)
    await expect(page.getByText('mine from before')).toBeVisible()
    await expect(card).toHaveCount(0)
  }

  await page.goForward()
  await expect(title).toHaveText('Post List')
  await page.keyboard.press('n')
  await page.getByLabel('Text of the post').fill('my own post')
  await page.getByRole('button', { name: 'Post', exact: true }).click()
  await expect(page).toHaveURL('/')
  const bodies = page.locator('article .prose')
  await expect(bodies.first()).toHaveText('my own post')
  for (const path of ['/post', '/', `/people/${id}`]) {
    await page.goBack()
    await expect(page).toHaveURL(path)
  }
  await expect(bodies).toHaveText(['my own post', 'mine from before'])
})
