import '#features/posts/ui.css'
import { VerifyNotice } from '#features/people/VerifyNotice.tsx'
import { posts } from '#features/posts/contract.ts'
import { Posts } from '#features/posts/Posts.tsx'
import { Tabs } from '#features/posts/Tabs.tsx'
import { postsText } from '#features/posts/text.ts'
import { useMe } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { House } from '#web/ui/House.tsx'
import { Sill } from '#web/ui/Sill.tsx'
import { VisitorWelcome } from '#web/VisitorWelcome.tsx'

/** Everybody's posts, newest first. */
export default function PostListPage() {
  const me = useMe()
  const t = useText(postsText)
  const empty = (
    <Empty title={me ? t.nothingYet : t.nothingYetVisitor}>
      <ButtonLink kind="primary" href={me ? '/post' : '/register'}>
        {me ? t.writePost : t.signUp}
      </ButtonLink>
    </Empty>
  )
  return (
    <House veranda={!me && <VisitorWelcome />}>
      <Sill title={t.postList} />
      {me && <Tabs current="everyone" />}
      <Posts list={posts.list} me={me} empty={empty} notice={<VerifyNotice />} />
    </House>
  )
}
