import { expect, expectAccessible, fetchJson, test, writePost } from './fixture.ts'

test('a tag in a post or a reply leads to the posts with the tag, and new ones wait behind a button', async ({
  member,
}) => {
  const word = `Garden${crypto.randomUUID().slice(0, 8)}`
  const tag = word.toLowerCase()
  const ann = await member('Ann')
  const { post } = await writePost(ann.page, `Roses #${word}, https://a.example/#${word}`)
  const { post: japanese } = await writePost(ann.page, `お花見です。＃花見${tag}`)
  await writePost(ann.page, `${word} without a sign`)
  await fetchJson(ann.page, 'POST', `/api/posts/${japanese.id}/replies`, {
    text: `See #${word}`,
  })
  const { page } = await member('Ben')
  await page.goto(`/posts/${post.id}`)
  const tagLink = page.getByRole('link', { name: `#${word}`, exact: true })
  await expect(tagLink).toHaveAttribute('href', `/tags/${tag}`)
  await expect(page.getByRole('link', { name: `https://a.example/#${word}` })).toBeVisible()
  await tagLink.press('Enter')
  await expect(page).toHaveURL(`/tags/${tag}`)
  await expect(page.getByRole('heading', { name: `#${tag}`, level: 1 })).toBeVisible()
  await expect(page).toHaveTitle(new RegExp(`^#${tag}`))
  const cards = page.locator('article[data-post]')
  await expect(cards).toHaveCount(1)
  await expect(cards).toHaveAttribute('data-post', String(post.id))

  const { post: newer } = await writePost(ann.page, `Tulips ＃${word}`)
  await writePost(ann.page, 'About something else')
  await page.getByRole('button', { name: '1 new post' }).click()
  await expect(cards).toHaveCount(2)
  await expect(cards.first()).toHaveAttribute('data-post', String(newer.id))
  await expectAccessible(page)
  await fetchJson(ann.page, 'DELETE', `/api/posts/${newer.id}`)
  await expect(cards).toHaveCount(1)

  await page.goto(`/tags/${encodeURIComponent(`花見${tag}`)}`)
  await expect(cards).toHaveAttribute('data-post', String(japanese.id))
  await page.goto(`/posts/${japanese.id}`)
  await tagLink.click()
  await expect(page).toHaveURL(`/tags/${tag}`)
  await expect(cards).toHaveAttribute('data-post', String(post.id))
  await page.goto(`/tags/${tag}nothing`)
  await expect(page.getByRole('heading', { name: 'No posts with this tag' })).toBeVisible()
})

test('the page of a tag leads to a new post that begins with the tag, after a draft', async ({ member }) => {
  const tag = `庭${crypto.randomUUID().slice(0, 8)}`
  const { page } = await member('Ann', { lang: 'ja' })
  await page.setViewportSize({ width: 390, height: 800 })
  await page.goto(`/tags/${encodeURIComponent(tag)}`)
  const link = page.getByRole('link', { name: `#${tag}の投稿を書く` })
  await link.press('Enter')
  const field = page.getByLabel('投稿の本文')
  await expect(field).toHaveValue(`#${tag} `)
  await expect(field).toBeFocused()
  await page.keyboard.type('花')
  await page.reload()
  await expect(field).toHaveValue(`#${tag} 花`)
  await page.goto('/post?tag=soup')
  await expect(field).toHaveValue(`#${tag} 花 #soup `)
  await expectAccessible(page)
  await page.getByRole('button', { name: '投稿する', exact: true }).last().click()
  await expect(page).toHaveURL('/')
  await page.getByRole('link', { name: `#${tag}`, exact: true }).click()
  await expect(page.locator('article[data-post]')).toHaveCount(1)
  await expect(link).toHaveAttribute('href', `/post?tag=${encodeURIComponent(tag)}`)
})
