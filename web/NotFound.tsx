import { ErrorLine } from '#web/Fault.tsx'
import { useText } from '#web/text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { shellText } from '#web/words.ts'

export function NotFound() {
  const say = useText(shellText)
  return (
    <ErrorLine title={say.nobody} help={say.moved}>
      <ButtonLink kind="primary" href="/">
        {say.backHome}
      </ButtonLink>
    </ErrorLine>
  )
}
