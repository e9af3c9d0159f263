import { expect, type PageMember, test, writePost } from './fixture.ts'

/**
 * Presses Ctrl+Enter in the field with this label, and clicks the button of its form in the same task of the
 * browser's event loop, so that both try to send the form.
 */
const submitTwice = ({ page }: PageMember, label: string, button: RegExp) =>
  page.getByLabel(label).evaluate((field, pattern) => {
    const keys = { key: 'Enter', code: 'Enter', ctrlKey: true, bubbles: true, cancelable: true }
    field.dispatchEvent(new KeyboardEvent('keydown', keys))
    const buttons = [...field.closest('form')!.querySelectorAll('button')]
    buttons.find(({ textContent }) => new RegExp(pattern).test(textContent!))!.click()
  }, button.source)

test('a post and a reply are sent once when Ctrl+Enter and the button come together', async ({ member }) => {
  const ann = await member('Ann')
  await ann.page.goto('/post')
  await ann.page.getByLabel('Text of the post').fill('Only once')
  await submitTwice(ann, 'Text of the post', /^Post/)
  await expect(ann.page).toHaveURL('/')
  const posts: { user: { id: number } }[] = await (await ann.page.request.get('/api/posts')).json()
  expect(posts.filter(({ user }) => user.id === ann.id)).toHaveLength(1)

  const { post } = await writePost(ann.page, 'Who brings the tea?')
  await ann.page.goto(`/posts/${post.id}`)
  await ann.page.getByLabel('Write a reply').fill('I do')
  await submitTwice(ann, 'Write a reply', /^Reply/)
  await expect(ann.page.getByLabel('Write a reply')).toHaveValue('')
  await expect(ann.page.getByRole('heading', { name: '1 reply' })).toBeVisible()
  const replies = await (await ann.page.request.get(`/api/posts/${post.id}/replies`)).json()
  expect(replies).toHaveLength(1)
})
