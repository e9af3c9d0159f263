import './composer.css'
import { PleaseLogIn } from '#features/people/web/PleaseLogIn.tsx'
import { useText } from '#web/i18n.ts'
import { useMe } from '#web/me.ts'
import { Avatar } from '#web/ui/Avatar.tsx'
import { PageHeader } from '#web/ui/PageHeader.tsx'
import { PageLayout } from '#web/ui/PageLayout.tsx'
import { Composer } from './Composer.tsx'
import { composerText } from './composer-text.ts'

export default function NewPostPage() {
  const me = useMe()
  const t = useText(composerText)
  return (
    <PageLayout kind="inset">
      <PageHeader title={t.newPost}>{me && <Avatar person={me} size="s" />}</PageHeader>
      {me ? <Composer key={me.id} me={me} /> : <PleaseLogIn />}
    </PageLayout>
  )
}
