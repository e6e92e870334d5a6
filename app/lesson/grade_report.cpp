// The marks of a lesson as a table, as JSON and as JUnit XML.

#include <array>
#include <nlohmann/json.hpp>

#include "app/lesson/lesson_grade.h"
#include "app/report/environment.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

/// A text within XML. Characters that XML does not have are left out.
std::string xml_text(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    if (c == '<')
      escaped += "&lt;";
    else if (c == '>')
      escaped += "&gt;";
    else if (c == '&')
      escaped += "&amp;";
    else if (c == '"')
      escaped += "&quot;";
    else if (static_cast<unsigned char>(c) >= ' ' || c == '\t' || c == '\n')
      escaped += c;
  }
  return escaped;
}

Json marks_json(const std::vector<Mark>& marks) {
  Json json = Json::array();
  for (const Mark& mark : marks) {
    Json one{{"name", mark.name}, {"passed", mark.passed}, {"found", mark.found}};
    if (!mark.because.empty()) one["because"] = mark.because;
    json.push_back(std::move(one));
  }
  return json;
}

void junit_cases(const std::string& group, const std::vector<Mark>& marks, std::string& text) {
  for (const Mark& mark : marks) {
    text += "    <testcase classname=\"" + xml_text(group) + "\" name=\"" + xml_text(mark.name) + "\"";
    if (mark.passed)
      text += "/>\n";
    else
      text += ">\n      <failure message=\"" + xml_text(mark.found) + "\">" + xml_text(mark.because) +
              "</failure>\n    </testcase>\n";
  }
}

}  // namespace

std::string grade_text(const LessonGrade& grade, bool all) {
  std::string text;
  std::vector<std::vector<std::string>> table;
  const auto add = [&](const std::string& group, const std::vector<Mark>& marks) {
    for (const Mark& mark : marks) {
      if (mark.passed && !all) continue;
      table.push_back({"  " + group, mark.passed ? "ok" : "FAILED", mark.name, mark.found});
      if (!mark.passed && !mark.because.empty()) table.back().back() += ": " + mark.because;
    }
  };
  for (const SubmissionGrade& one : grade.submissions) {
    table.clear();
    for (const ExerciseGrade& exercise : one.exercises)
      add(exercise.exercise, exercise.marks);
    add("questions", one.answers);
    text += one.name + ": " + std::to_string(one.points()) + " of " + std::to_string(one.possible()) + " points\n" +
            format_table(table);
  }
  return text;
}

std::string grade_json(const LessonGrade& grade) {
  Json json;
  json["lesson"] = grade.lesson;
  json["submissions"] = Json::array();
  for (const SubmissionGrade& one : grade.submissions) {
    Json submission{{"name", one.name}, {"points", one.points()}, {"possible", one.possible()}};
    submission["exercises"] = Json::array();
    for (const ExerciseGrade& exercise : one.exercises)
      submission["exercises"].push_back({{"name", exercise.exercise},
                                         {"file", exercise.file.string()},
                                         {"passed", exercise.passed()},
                                         {"marks", marks_json(exercise.marks)}});
    submission["answers"] = marks_json(one.answers);
    json["submissions"].push_back(std::move(submission));
  }
  return dump(json);
}

std::string grade_junit(const LessonGrade& grade) {
  std::string text =
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"" + xml_text(grade.lesson) + "\">\n";
  for (const SubmissionGrade& one : grade.submissions) {
    text += "  <testsuite name=\"" + xml_text(one.name) + "\" tests=\"" + std::to_string(one.possible()) +
            "\" failures=\"" + std::to_string(one.possible() - one.points()) + "\">\n";
    for (const ExerciseGrade& exercise : one.exercises)
      junit_cases(exercise.exercise, exercise.marks, text);
    junit_cases("questions", one.answers, text);
    text += "  </testsuite>\n";
  }
  return text + "</testsuites>\n";
}

}  // namespace threadscape::app
