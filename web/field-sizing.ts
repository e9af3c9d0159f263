import { type RefObject, useLayoutEffect } from 'react'

const isBuiltIn = CSS.supports('field-sizing', 'content')

/**
 * Makes a text area as tall as its text, where the browser has no `field-sizing: content` (WebKitGTK 2.50).
 */
export function useFieldSizing(field: RefObject<HTMLTextAreaElement | null>, text: unknown) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the height depends on the text
  useLayoutEffect(() => {
    const area = field.current
    if (isBuiltIn || !area) return
    area.style.blockSize = 'auto'
    const borders = area.offsetHeight - area.clientHeight
    area.style.blockSize = `${area.scrollHeight + borders}px`
  }, [field, text])
}
