/**
 * One to three emoji and nothing else, which are shown large. Letters are looked for first: that is quick.
 */
export const isEmoji = (text: string) =>
  text.length < 60 && !/\p{L}/u.test(text) && /^(\p{RGI_Emoji}\s?){1,3}$/v.test(text)
