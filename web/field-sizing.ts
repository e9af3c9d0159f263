import { type RefObject, useLayoutEffect } from 'react'

const isBuiltIn = CSS.supports('field-sizing', 'content')

/** For browsers without `field-sizing: content`, such as WebKitGTK 2.50. */
export function useAutosize(field: RefObject<HTMLTextAreaElement | null>, text: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const area = field.current
    if (isBuiltIn || !area) return
    area.style.blockSize = 'auto'
    const borders = area.offsetHeight - area.clientHeight
    area.style.blockSize = `${area.scrollHeight + borders}px`
  }, [field, text])
}
