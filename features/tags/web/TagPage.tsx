import { useParams } from 'wouter'
import { findTagsInText, parseTag } from '#features/people/text-parts-contract.ts'
import { PostList } from '#features/posts/web/PostList.tsx'
import { functionsFindingListApiPathsOfPost } from '#features/posts/web/post-store.ts'
import { detectLanguageOfUserText, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { MemberSidebarOrVisitorWelcome } from '#web/Sidebar.tsx'
import { useOverridePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { toTagPostsApiPath } from '../contract.ts'
import { tagsText } from './text.ts'

// Adds the posts of live events to the loaded lists of posts with the same tags.
functionsFindingListApiPathsOfPost.push(({ body }) => findTagsInText(body ?? '').map(toTagPostsApiPath))

/** Renders the page with the posts that have a tag, newest first. */
export default function TagPage() {
  const t = useText(tagsText)
  const me = useMe()
  const { tag: given = '' } = useParams<{ tag: string }>()
  const tag = parseTag(given) ?? given
  const title = `#${tag}`
  useOverridePageTitle(title)
  const newPost = { path: `/post?tag=${encodeURIComponent(tag)}`, text: t.write(title) }
  const empty = (
    <EmptyState title={t.empty} help={t.emptyHelp}>
      {me ? (
        <ButtonLink kind="primary" href={newPost.path}>
          {newPost.text}
        </ButtonLink>
      ) : (
        <ButtonLink href="/">{t.allPosts}</ButtonLink>
      )}
    </EmptyState>
  )
  return (
    <PageLayout sidebar={<MemberSidebarOrVisitorWelcome />}>
      <PageHeader title={title} titleLang={detectLanguageOfUserText(tag)} />
      <PostList key={tag} path={toTagPostsApiPath(tag)} me={me} newPost={newPost} empty={empty} />
    </PageLayout>
  )
}
