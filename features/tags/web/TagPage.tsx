import { useParams } from 'wouter'
import { findTags, parseTag } from '#features/people/text-parts-contract.ts'
import { PostList } from '#features/posts/web/PostList.tsx'
import * as postStore from '#features/posts/web/post-store.ts'
import { detectLanguage, useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Sidebar } from '#web/Sidebar.tsx'
import { usePageTitle } from '#web/title.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { EmptyState } from '#web/ui/EmptyState.tsx'
import { PageHeader, PageLayout } from '#web/ui/PageLayout.tsx'
import { tagPostsPath } from '../contract.ts'
import { tagsText } from './text.ts'

// Live posts join the loaded lists of their tags.
postStore.listFinders.push(({ body }) => findTags(body ?? '').map(tagPostsPath))

export default function TagPage() {
  const t = useText(tagsText)
  const me = useMe()
  const { tag: given = '' } = useParams<{ tag: string }>()
  const tag = parseTag(given) ?? given
  const title = `#${tag}`
  usePageTitle(title)
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
    <PageLayout sidebar={<Sidebar />}>
      <PageHeader title={title} titleLang={detectLanguage(tag)} />
      <PostList key={tag} path={tagPostsPath(tag)} me={me} newPost={newPost} empty={empty} />
    </PageLayout>
  )
}
