import './posts.css'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { VerifyNotice } from '#features/people/web/VerifyNotice.tsx'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { OnlineNow } from '#web/OnlineNow.tsx'
import { Sidebar } from '#web/Sidebar.tsx'
import { ButtonLink } from '#web/ui/Button.tsx'
import { Empty } from '#web/ui/Empty.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'
import { Posts } from './Posts.tsx'
import { followedPosts } from './post-store.ts'
import { Tabs } from './Tabs.tsx'
import { postsText } from './text.ts'

/** The posts of the people that the reader follows. */
export default function FollowingPostListPage() {
  const me = useMe()
  const t = useText(postsText)
  const empty = (
    <Empty title={t.feedEmpty} help={t.feedEmptyHelp}>
      <ButtonLink kind="primary" href="/follow">
        {t.findPeople}
      </ButtonLink>
    </Empty>
  )
  return (
    <PageLayout sidebar={me && <Sidebar />}>
      <PageHeader title={t.followingPostList} titleLang="ja" sub={t.followingSub}>
        <OnlineNow />
      </PageHeader>
      {me && <Tabs current="following" />}
      {me ? <Posts list={followedPosts} me={me} empty={empty} notice={<VerifyNotice />} /> : <PleaseLogIn />}
    </PageLayout>
  )
}
