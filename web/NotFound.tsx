import { Line } from '#web/Fault.tsx'
import { useText } from '#web/text.ts'
import { ButtonLink } from '#web/ui/Button.tsx'
import { words } from '#web/words.ts'

export function NotFound() {
  const say = useText(words)
  return (
    <Line title={say.nobody} help={say.moved}>
      <ButtonLink kind="primary" href="/">
        {say.backHome}
      </ButtonLink>
    </Line>
  )
}
