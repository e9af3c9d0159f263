import '#features/posts/composer.css'
import { PleaseLogIn } from '#features/people/PleaseLogIn.tsx'
import { Composer } from '#features/posts/Composer.tsx'
import { composerText } from '#features/posts/composer-text.ts'
import { useMe } from '#web/me.ts'
import { useText } from '#web/text.ts'
import { Face } from '#web/ui/Face.tsx'
import { House } from '#web/ui/House.tsx'
import { Sill } from '#web/ui/Sill.tsx'

export default function NewPostPage() {
  const me = useMe()
  const t = useText(composerText)
  return (
    <House kind="inset">
      <Sill title={t.newPost}>{me && <Face person={me} size="s" />}</Sill>
      {me ? <Composer key={me.id} me={me} /> : <PleaseLogIn />}
    </House>
  )
}
