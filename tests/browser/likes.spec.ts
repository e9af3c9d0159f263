import { expect, fetchJson, test, writePost } from './fixture.ts'

// spec: 1.4, 2.3
test('a like shows at once, also to visitors, is counted once, and is undone when it fails', async ({
  member,
  page: visitor,
}) => {
  const { post } = await writePost((await member('Ann')).page, 'Like this')
  const { page } = await member('Ben')
  const calls: string[] = []
  page.on('request', (request) => {
    const { pathname, search } = new URL(request.url())
    if (/like$/.test(pathname) || pathname + search === '/api/posts') calls.push(request.method())
  })
  /**
   * Returns an assertion about the methods of the requests that the page has sent. It waits until they are as
   * expected. The page also requests the list of posts again after the response to the last click.
   */
  const expectCalls = () => expect.poll(() => calls.join(' '))
  // Resolves when the page has received the list of posts from the API. The page requests this list as soon
  // as it receives real-time events.
  const begun = page.waitForResponse(/\/api\/posts$/)
  await page.goto('/')
  await begun
  calls.length = 0
  const card = page.locator(`[data-post="${post.id}"]`)
  const like = card.getByRole('button', { name: /^Like/ })
  const count = card.getByRole('button', { name: '1 like' })
  await like.click()
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await expect(count).toBeVisible()
  await expectCalls().toBe('PUT GET')
  await like.dblclick()
  await expectCalls().toMatch(/^PUT GET DELETE (GET )?PUT GET$/)
  await expect(count).toBeVisible()
  await visitor.goto('/')
  const shown = visitor.locator(`[data-post="${post.id}"]`)
  await expect(shown).toContainText('1 like')
  await expect(shown.getByRole('button', { name: /Like/ })).toHaveCount(0)
  await expect(shown.getByRole('link', { name: 'Ann' })).toHaveCount(0)
  await page.reload()
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await page.route('**/like', (route) => route.fulfill({ status: 500, json: { message: 'Server Error' } }))
  await like.click()
  await expect(page.locator('.toast')).toContainText('Your like was not removed.')
  await expect(like).toHaveAttribute('aria-pressed', 'true')
  await fetchJson(page, 'DELETE', `/api/posts/${post.id}/like`)
  await page.route('**/like', (route) => route.fulfill({ status: 404, json: { message: 'Lost' } }))
  await like.click()
  await expect(page.locator('.toast')).toHaveCount(0)
  await expect(like).toHaveAttribute('aria-pressed', 'false')
})

test('the message about a like that failed names it, and goes with the page', async ({ member }) => {
  const { page } = await member('アン', { lang: 'ja' })
  const { post } = await writePost(page, 'Like this')
  await page.goto('/')
  await page.route('**/like', (route) => route.abort())
  const like = page.locator(`[data-post="${post.id}"]`).getByRole('button', { name: /^いいね/ })
  await like.click()
  await expect(page.locator('.toast')).toContainText('「いいね」できませんでした。接続')
  await page.getByRole('link', { name: '投稿する' }).first().click()
  await expect(page).toHaveURL('/post')
  await expect(page.locator('.toast')).toHaveCount(0)
})

test('the response to an earlier request does not undo a like', async ({ member }) => {
  const ann = await member('Ann')
  const { post } = await writePost(ann.page, 'Like this')
  const { page } = await member('Ben')
  let letGo = () => {}
  const held = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const read = new Promise<void>((resolve) =>
    page.route(
      `**/api/posts/${post.id}`,
      async (route) => {
        const response = await route.fetch()
        resolve()
        await held
        await route.fulfill({ response })
      },
      { times: 1 },
    ),
  )
  // Opens the page of the post, which shows the post from its initial data. As soon as the page receives
  // real-time events, it requests the post again; the test holds back the response to this request.
  await page.goto(`/posts/${post.id}`)
  await expect(page.getByRole('heading', { level: 1, name: 'Post by Ann' })).toBeVisible()
  await read
  const like = page.getByRole('button', { name: /^Like/ })
  const liked = page.waitForResponse((answer) => answer.url().endsWith('/like'))
  await like.click()
  await liked
  const old = page.waitForResponse((answer) => answer.url().endsWith(`/api/posts/${post.id}`))
  letGo()
  await (await old).finished()
  await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
  await expect(like).toHaveAttribute('aria-pressed', 'true')
})
