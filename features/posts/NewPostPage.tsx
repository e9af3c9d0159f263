import '#features/posts/composer.css'
import { PleaseLogIn } from '#features/people/PleaseLogIn.tsx'
import { Composer } from '#features/posts/Composer.tsx'
import { composerText } from '#features/posts/composer-text.ts'
import { useMe } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { Avatar } from '#web/ui/Face.tsx'
import { LogoHouse } from '#web/ui/House.tsx'
import { PageHeader } from '#web/ui/Sill.tsx'

export default function NewPostPage() {
  const me = useMe()
  const t = useText(composerText)
  return (
    <LogoHouse kind="inset">
      <PageHeader title={t.newPost}>{me && <Avatar person={me} size="s" />}</PageHeader>
      {me ? <Composer key={me.id} me={me} /> : <PleaseLogIn />}
    </LogoHouse>
  )
}
