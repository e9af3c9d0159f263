import {
  expect,
  expectAccessible,
  expectNoOverflow,
  fetchJson,
  pictureFile,
  test,
  writePost,
} from './fixture.ts'

const replyBy = (page: import('@playwright/test').Page, name: string) =>
  page.getByRole('article', { name: `Reply by ${name}` })

test('two people talk under a post, live, with an answer, a like, an edit and a deletion; visitors read it', async ({
  member,
  page: visitor,
}) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const { post } = await writePost(ann.page, 'Who brings the tea?')
  await ann.page.goto('/')
  await ben.page.goto(`/posts/${post.id}`)
  await expect(ben.page.getByText('No replies yet.')).toBeVisible()
  const field = ben.page.getByLabel('Write a reply')
  await field.fill('I do')
  await field.press('Control+Enter')
  await expect(replyBy(ben.page, ben.name)).toContainText('I do')
  await expect(field).toHaveValue('')
  await expect(field).toBeFocused()
  await expect(ben.page.getByRole('heading', { name: '1 reply' })).toBeVisible()

  const card = ann.page.locator(`article[data-post="${post.id}"]`)
  await card.getByRole('link', { name: '1 reply' }).click()
  await expect(ann.page).toHaveURL(`/posts/${post.id}`)
  const bens = replyBy(ann.page, ben.name)
  await bens.getByRole('button', { name: /^Like/ }).click()
  await expect(replyBy(ben.page, ben.name).locator('.like-count .count')).toHaveText('1')
  await bens.getByRole('button', { name: `Reply to ${ben.name}` }).click()
  await expect(ann.page.getByLabel('Write a reply')).toBeFocused()
  await ann.page.keyboard.type('Thank you!')
  await ann.page.getByRole('button', { name: 'Reply', exact: true }).last().click()
  const answer = replyBy(ben.page, ann.name)
  await expect(answer).toContainText(`@${ben.name} Thank you!`)

  await replyBy(ben.page, ben.name)
    .getByRole('button', { name: /More about/ })
    .click()
  await ben.page.getByRole('button', { name: 'Edit reply' }).click()
  await ben.page.getByLabel('Text of the reply').fill('I bring it')
  await ben.page.getByRole('button', { name: 'Save' }).click()
  await expect(bens).toContainText('I bring it')
  await expect(bens).toContainText('edited')

  await replyBy(ann.page, ann.name)
    .getByRole('button', { name: /More about/ })
    .click()
  await ann.page.getByRole('button', { name: 'Delete reply' }).click()
  await ann.page.getByRole('dialog').getByRole('button', { name: 'Delete reply' }).click()
  await expect(answer).toHaveCount(0)
  await expect(ben.page.getByRole('heading', { name: '1 reply' })).toBeVisible()
  await expectAccessible(ben.page)

  await visitor.goto(`/posts/${post.id}`)
  await expect(replyBy(visitor, ben.name)).toContainText('I bring it')
  await expect(visitor.getByRole('link', { name: 'Log in to reply' })).toBeVisible()
  await expect(visitor.getByLabel('Write a reply')).toHaveCount(0)
})

test('earlier replies are loaded on request, and a picture and a draft are kept', async ({ member }) => {
  const [ann, ben] = [await member('Ann'), await member('Ben')]
  const { post } = await writePost(ann.page, 'Long talk')
  for (let n = 1; n <= 23; n++)
    await fetchJson(n % 2 ? ann.page : ben.page, 'POST', `/api/posts/${post.id}/replies`, {
      text: `Number ${n}.`,
    })
  const { page } = ben
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/posts/${post.id}`)
  const replies = page.locator('article[data-reply]')
  await expect(replies).toHaveCount(20)
  await page.getByRole('button', { name: 'Load earlier replies' }).click()
  await expect(replies).toHaveCount(23)
  await expect(replies.first()).toContainText('Number 1.')
  await expect(replies.last()).toContainText('Number 23.')
  await expectNoOverflow(page)

  await page.getByLabel('Write a reply').fill('Half a')
  await page.reload()
  await expect(page.getByLabel('Write a reply')).toHaveValue('Half a')
  await page.locator('.reply-composer input[type=file]').setInputFiles([await pictureFile('tea')])
  await expect(page.locator('.reply-composer .tile')).toHaveCount(1)
  await page.getByRole('button', { name: 'Reply', exact: true }).last().click()
  await expect(replies.last()).toContainText('Half a')
  await expect(replies.last().locator('.picture img')).toBeVisible()
  await expect(page.locator('.reply-composer .tile')).toHaveCount(0)
})

test('the page of a post that is opened again requests the replies once', async ({ member }) => {
  const { page } = await member('Ann')
  const { post } = await writePost(page, 'Opened twice')
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().endsWith(`/api/posts/${post.id}/replies`)) asked.push(request.method())
  })
  await page.goto(`/posts/${post.id}`)
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await page.getByLabel('Write a reply').fill('first')
  await page.getByLabel('Write a reply').press('Control+Enter')
  await expect(page.getByRole('heading', { name: '1 reply' })).toBeVisible()
  await page.getByRole('link', { name: 'Home', exact: true }).first().click()
  await expect(page.getByText('Opened twice')).toBeVisible()
  asked.length = 0
  await page.locator(`[data-post="${post.id}"] .post-time a`).click()
  await expect(page.getByRole('heading', { name: '1 reply' })).toBeVisible()
  await expect.poll(() => asked.length).toBeGreaterThan(0)
  await page.waitForLoadState('networkidle')
  expect(asked.filter((method) => method === 'GET')).toHaveLength(1)
})
