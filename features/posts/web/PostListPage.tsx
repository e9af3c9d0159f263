import './posts.css'
import type { Me } from '#features/people/contract.ts'
import { VerifyNotice } from '#features/people/web/VerifyNotice.tsx'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { OnlineNow } from '#web/OnlineNow.tsx'
import { Sidebar } from '#web/Sidebar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'
import { VisitorWelcome } from '#web/VisitorWelcome.tsx'
import { FirstSteps } from './FirstSteps.tsx'
import { Posts } from './Posts.tsx'
import { allPosts } from './post-store.ts'
import { Tabs } from './Tabs.tsx'
import { postsText } from './text.ts'

const Notices = ({ me }: { me: Me }) => (
  <>
    <VerifyNotice />
    <FirstSteps me={me} />
  </>
)

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
    <PageLayout sidebar={<Sidebar />}>
      <PageHeader title={t.postList}>
        <OnlineNow />
      </PageHeader>
      {me && <Tabs current="everyone" />}
      <Posts
        list={allPosts}
        me={me}
        empty={empty}
        notice={me ? <Notices me={me} /> : <VisitorWelcome inline />}
      />
    </PageLayout>
  )
}
